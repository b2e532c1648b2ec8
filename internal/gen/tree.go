package gen

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen/config"
)

// tree is a copy of the files that generation may write or remove. They are generated in place, because the Go
// packages that gqlgen loads have to be at their import paths.
type tree struct {
	// folders are those whose Go files are in the copy.
	folders []string
	files   map[string]savedFile
	// missing are the folders that did not exist, each before the one that it is in.
	missing []string
}

type savedFile struct {
	text []byte
	mode fs.FileMode
}

// saveTree copies the Go files of folders, without those of their subfolders, and other files. None of them need
// exist.
func saveTree(folders, files []string) (*tree, error) {
	folders, err := absolute(folders)
	if err != nil {
		return nil, err
	}
	if files, err = absolute(files); err != nil {
		return nil, err
	}
	t := &tree{folders: folders, files: map[string]savedFile{}}
	for _, folder := range folders {
		t.addMissing(folder)
		names, err := goFileNames(folder)
		if err != nil {
			return nil, err
		}
		files = append(slices.Clip(files), names...)
	}
	for _, name := range files {
		t.addMissing(filepath.Dir(name))
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			t.files[name] = savedFile{}
			continue
		}
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		t.files[name] = savedFile{append([]byte{}, text...), info.Mode().Perm()}
	}
	slices.SortFunc(t.missing, func(a, b string) int { return len(b) - len(a) })
	return t, nil
}

// absolute returns absolute paths, so that a folder is in another one if its path is longer.
func absolute(paths []string) ([]string, error) {
	list := make([]string, len(paths))
	for i, path := range paths {
		var err error
		if list[i], err = filepath.Abs(path); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (t *tree) addMissing(folder string) {
	for ; ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) || slices.Contains(t.missing, folder) {
			return
		}
		t.missing = append(t.missing, folder)
	}
}

// goFileNames returns the paths of the Go files of a folder, none if there is no such folder.
func goFileNames(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		if entry.Type().IsRegular() && strings.HasSuffix(entry.Name(), ".go") {
			names = append(names, filepath.Join(folder, entry.Name()))
		}
	}
	return names, nil
}

// restore makes the files and folders what they were when they were saved.
func (t *tree) restore() error {
	var errs []error
	for name, saved := range t.files {
		errs = append(errs, saved.restore(name))
	}
	for _, folder := range t.folders {
		names, err := goFileNames(folder)
		errs = append(errs, err)
		for _, name := range names {
			if _, isSaved := t.files[name]; !isSaved {
				errs = append(errs, os.Remove(name))
			}
		}
	}
	for _, folder := range t.missing {
		if err := os.Remove(folder); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (f savedFile) restore(name string) error {
	text, err := os.ReadFile(name)
	switch {
	case f.text == nil:
		if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	case err == nil && bytes.Equal(text, f.text):
		return nil
	default:
		return os.WriteFile(name, f.text, f.mode)
	}
}

// generatedFolders returns the folders in which files are generated.
func generatedFolders(cfg *config.Config, typed string) []string {
	list := []string{cfg.Exec.Dir(), cfg.Model.Dir(), cfg.Resolver.Dir(), typed}
	slices.Sort(list)
	return slices.Compact(list)
}

// moduleFiles returns the paths of go.mod and go.sum, which gqlgen may tidy.
func moduleFiles() ([]string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return []string{filepath.Join(dir, "go.mod"), filepath.Join(dir, "go.sum")}, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil, errors.New("no go.mod in this folder or above: run go mod init first")
		}
		dir = parent
	}
}
