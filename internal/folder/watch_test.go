package folder_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/folder"
)

// TestWatch: whatever way a file is saved in, there is a change after the last write.
func TestWatch(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "notes")
	path, target := filepath.Join(dir, "notes.graphqls"), filepath.Join(parent, "target")
	save := func(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }
	fatal.If(t, errors.Join(os.Mkdir(dir, 0o755), save(path, "first")))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	changes, err := folder.Watch(ctx, dir)
	fatal.If(t, err)
	for _, c := range []struct {
		name   string
		change func() error
	}{
		{"written twice", func() error { return errors.Join(save(path, "half"), save(path, "written twice")) }},
		{"renamed", func() error { return errors.Join(save(path+"~", "renamed"), os.Rename(path+"~", path)) }},
		{"created again", func() error { return errors.Join(os.Remove(path), save(path, "created again")) }},
		{"linked", func() error {
			return errors.Join(save(target, "linked"), os.Remove(path), os.Symlink(target, path))
		}},
		{"another folder", func() error {
			other := filepath.Join(parent, "other")
			return errors.Join(os.Mkdir(other, 0o755), save(filepath.Join(other, "notes.graphqls"), "another folder"),
				os.RemoveAll(dir), os.Rename(other, dir))
		}},
		{"after that", func() error { return save(path, "after that") }},
	} {
		fatal.If(t, c.change())
		for text := ""; text != c.name; {
			fatal.If(t, <-changes)
			read, err := os.ReadFile(path)
			fatal.If(t, err)
			text = string(read)
		}
	}
	cancel()
	for err := range changes {
		t.Errorf("after the end: %v", err)
	}
}
