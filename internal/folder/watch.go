package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/partita/partita/internal/editors"
)

const (
	// quiet is how long a folder has been unchanged when a change is complete. Editors write a file several times, or
	// write another one and rename it.
	quiet = 50 * time.Millisecond
	// longest is the delay of a change in a folder that does not become quiet.
	longest = 300 * time.Millisecond
	// again is how often a folder that is gone is looked for.
	again = 100 * time.Millisecond
)

// Watch watches a folder until ctx ends. The channel has a nil error after files in the folder have changed: one for
// all writes of a save, and also if the content of all files is as it was. A folder that is removed or renamed is
// watched again when there is one of that name. An error that is not nil is the last one. At the end, the channel is
// closed.
func Watch(ctx context.Context, dir string) (<-chan error, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("folder: watch: %w", err)
	}
	if err := watcher.Add(dir); err != nil {
		return nil, errors.Join(cannotRead(dir, err), watcher.Close())
	}
	changes := make(chan error)
	go func() {
		defer close(changes)
		defer func() { _ = watcher.Close() }() // nobody needs its files any more
		w := &watch{Watcher: watcher, dir: filepath.Clean(dir)}
		for {
			err := w.await(ctx)
			if ctx.Err() != nil {
				return
			}
			select {
			case changes <- err:
			case <-ctx.Done():
			}
			if err != nil {
				return
			}
		}
	}()
	return changes, nil
}

type watch struct {
	*fsnotify.Watcher
	dir string
}

// await returns after a change, or with the context's error.
func (w *watch) await(ctx context.Context) error {
	var delay, limit <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case event := <-w.Events:
			if filepath.Clean(event.Name) == w.dir && event.Op&(fsnotify.Remove|fsnotify.Rename) != 0 {
				return w.find(ctx)
			}
			if !isChange(event) {
				continue
			}
		case err := <-w.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) { // some changes are lost, so that this is one
				return fmt.Errorf("folder: watch: %w", err)
			}
		case <-delay:
			return nil
		case <-limit:
			return nil
		}
		delay = time.After(quiet)
		if limit == nil {
			limit = time.After(longest)
		}
	}
}

// isChange reports whether an event can be about one of the folder's files. A schema file can be a link to a file of
// any name, as in a volume of Kubernetes, so that creations and removals are, too.
func isChange(e fsnotify.Event) bool {
	name := filepath.Base(e.Name)
	if e.Op&^fsnotify.Chmod == 0 || name == DataDir || name == editors.Dir {
		return false
	}
	return e.Op&fsnotify.Write == 0 || strings.HasSuffix(name, schemaSuffix) || name == QueryFile ||
		strings.HasPrefix(name, DataFile)
}

// find returns once there is a folder of that name again.
func (w *watch) find(ctx context.Context) error {
	_ = w.Remove(w.dir) // a folder that was renamed is watched still
	ticker := time.NewTicker(again)
	defer ticker.Stop()
	for {
		err := w.Add(w.dir)
		if err == nil {
			return nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return cannotRead(w.dir, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}
