package folder_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/partita/partita/internal/folder"
)

// TestWatch: whatever way a file is saved in, there is a change after the last write.
func TestWatch(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "notes")
	path, target := filepath.Join(dir, "notes.graphqls"), filepath.Join(parent, "target")
	save := func(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }
	if err := errors.Join(os.Mkdir(dir, 0o755), save(path, "first")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	changes, err := folder.Watch(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
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
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		for text := ""; text != c.name; {
			if err := <-changes; err != nil {
				t.Fatal(err)
			}
			read, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text = string(read)
		}
	}
	cancel()
	for err := range changes {
		t.Errorf("after the end: %v", err)
	}
}
