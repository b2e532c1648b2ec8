package main

import (
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// nobody is a user without rights. It is a number, because there is no file with names, and so that Kubernetes can see
// that it is not root.
const nobody = "65532:65532"

// imageOf returns the image of a program, with the folder of schema files if there is one.
func imageOf(path, schema string) (v1.Image, *v1.Platform, error) {
	p, err := open(path)
	if err != nil {
		return nil, nil, err
	}
	layers, err := layersOf(path, schema, p.created)
	if err != nil {
		return nil, nil, err
	}
	base := mutate.MediaType(mutate.ConfigMediaType(empty.Image, types.OCIConfigJSON), types.OCIManifestSchema1)
	img, err := mutate.Append(base, layers...)
	if err != nil {
		return nil, nil, err
	}
	config, err := img.ConfigFile()
	if err != nil {
		return nil, nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = p.platform.OS, p.platform.Architecture
	config.Created = v1.Time{Time: p.created}
	config.Config = configOf(p, schema)
	img, err = mutate.ConfigFile(img, config)
	return img, p.platform, err
}

// configOf returns how a container of the image is started. Other machines connect to it, so it listens on all
// addresses, whatever table it serves.
func configOf(p *program, schema string) v1.Config {
	command := []string{"serve"}
	if schema != "" {
		command = append(command, "/"+schemaPath)
	}
	return v1.Config{
		Entrypoint:   []string{"/" + programPath},
		Cmd:          command,
		User:         nobody,
		Env:          []string{"ADDR=:8080"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		WorkingDir:   "/",
		Labels: map[string]string{
			"org.opencontainers.image.title":    p.module,
			"org.opencontainers.image.version":  p.version,
			"org.opencontainers.image.revision": p.revision,
			"org.opencontainers.image.created":  p.created.Format(time.RFC3339),
		},
	}
}
