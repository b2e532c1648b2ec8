package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/partita/partita/internal/folder"
)

// Where the program and the folder of schema files are.
const (
	programPath = "partita"
	schemaPath  = "schema"
)

// layersOf returns the layer with the program, and one with the folder of schema files if there is one: another schema
// leaves the layer of the program as it is.
func layersOf(program, schema string, at time.Time) ([]mutate.Addendum, error) {
	layer, err := layerOf(at, []string{program}, func(string) (string, int64) { return programPath, 0o555 })
	if err != nil || schema == "" {
		return []mutate.Addendum{layer}, err
	}
	files, err := schemaFiles(schema)
	if err != nil {
		return nil, err
	}
	second, err := layerOf(at, files, func(file string) (string, int64) {
		return path.Join(schemaPath, filepath.Base(file)), 0o444
	})
	return []mutate.Addendum{layer, second}, err
}

// schemaFiles returns what a folder serves in production. Its design must have no findings.
func schemaFiles(dir string) ([]string, error) {
	f, err := folder.Open(dir)
	if err != nil {
		return nil, err
	}
	query := filepath.Join(dir, folder.QueryFile)
	if _, err := os.Stat(query); !errors.Is(err, fs.ErrNotExist) {
		return append(f.Files, query), nil
	}
	return f.Files, nil
}

// layerOf returns a layer with files, which belong to root and which nobody can change.
func layerOf(at time.Time, files []string, place func(file string) (string, int64)) (mutate.Addendum, error) {
	var text bytes.Buffer
	w := tar.NewWriter(&text)
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return mutate.Addendum{}, err
		}
		name, mode := place(file)
		header := &tar.Header{Name: name, Mode: mode, Size: int64(len(content)), ModTime: at}
		if err := w.WriteHeader(header); err != nil {
			return mutate.Addendum{}, err
		}
		if _, err := w.Write(content); err != nil {
			return mutate.Addendum{}, err
		}
	}
	if err := w.Close(); err != nil {
		return mutate.Addendum{}, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(text.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	return mutate.Addendum{
		Layer:   layer,
		History: v1.History{Created: v1.Time{Time: at}, CreatedBy: "partita deploy/image"},
	}, err
}
