package app

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
)

// standardInput is the path of the standard input.
const standardInput = "-"

// exported returns the files with items among some files and folders. A folder can be that of an export to S3, whose
// manifests have no items.
func exported(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == standardInput || err == nil && !info.IsDir() {
			files = append(files, path)
			continue
		}
		if err != nil {
			return nil, err
		}
		inside, err := exportedIn(path)
		if err != nil {
			return nil, err
		}
		files = append(files, inside...)
	}
	return files, nil
}

func exportedIn(folder string) (files []string, err error) {
	isIon := false
	// With the separator at its end, a link to a folder is followed.
	err = filepath.WalkDir(folder+string(filepath.Separator), func(path string, entry fs.DirEntry, err error) error {
		has := func(suffix string) bool { return strings.HasSuffix(path, suffix) }
		switch {
		case err != nil || entry.IsDir():
		case slices.ContainsFunc([]string{".json.gz", ".jsonl", ".jsonl.gz"}, has):
			files = append(files, path)
		case has(".ion.gz"):
			isIon = true
		}
		return err
	})
	switch {
	case err != nil || len(files) > 0:
		return files, err
	case isIon:
		return nil, &exit.Error{
			Problem: folder + " is an export in the format ION", Code: exit.DataError,
			Fix: "export the table with --export-format DYNAMODB_JSON",
		}
	}
	return nil, &exit.Error{
		Problem: folder + " has no *.json.gz, *.jsonl or *.jsonl.gz", Code: exit.DataError,
		Fix: "give the folder of an export to S3, or files",
	}
}

// itemsOf returns the items of files. A malformed line ends them with an *admin.LineError that has the file.
func itemsOf(ctx context.Context, paths []string) iter.Seq2[item.Item, error] {
	return func(yield func(item.Item, error) bool) {
		for _, path := range paths {
			if !itemsOfFile(ctx, path, yield) {
				return
			}
		}
	}
}

func itemsOfFile(ctx context.Context, path string, yield func(item.Item, error) bool) (more bool) {
	var input io.Reader
	if path == standardInput {
		input = stdin(ctx)
	} else {
		file, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return false
		}
		defer func() { _ = file.Close() }() // it was only read
		input = file
	}
	for it, err := range admin.Items(input) {
		if line, is := errors.AsType[*admin.LineError](err); is && path != standardInput {
			line.File = path
		}
		if !yield(it, err) || err != nil {
			return false
		}
	}
	return true
}
