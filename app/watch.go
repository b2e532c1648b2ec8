package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/table/local"
)

// watcher serves the schema of a folder as it is, and as it was last if it has findings.
type watcher struct {
	// app is the application with the schema that is served.
	app   Application
	table *local.Table
	// designed serves it.
	designed *designed
	log      *slog.Logger
	changes  *changes
	// out gets the findings. problem is what it has got last, "" if the files are served.
	out     io.Writer
	problem string
	// data is the file with the items of a new table, as it was last.
	data dataFile
}

// dataFile is what can be seen of a file without reading it.
type dataFile struct {
	path     string
	size     int64
	modified time.Time
}

func dataFileOf(f *folder.Folder) dataFile {
	info, err := os.Stat(f.Data)
	if err != nil { // there is none
		return dataFile{}
	}
	return dataFile{f.Data, info.Size(), info.ModTime()}
}

// ServeHTTP answers a request with the schema that is served when it arrives.
func (w *watcher) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.designed.ServeHTTP(rw, r)
}

func (w *watcher) servesOwnDesign() bool { return w.designed.servesOwnDesign() }

// start watches the folder. The function that it returns waits for the end, after that of the context.
func (w *watcher) start(ctx context.Context) (wait func(), err error) {
	changes, err := folder.Watch(ctx, w.app.folder.Dir)
	if err != nil {
		return nil, err
	}
	w.writeForEditors(ctx)
	w.log.InfoContext(ctx, "watching", "folder", w.app.folder.Dir)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.run(ctx, changes)
	}()
	return func() { <-ended }, nil
}

func (w *watcher) run(ctx context.Context, changes <-chan error) {
	// Files may have been saved between their reading and the beginning of the watch.
	w.reload(ctx)
	for err := range changes {
		if err != nil {
			w.log.ErrorContext(ctx, "the folder is not watched any longer: start the gateway again", "error", err.Error())
			return
		}
		w.reload(ctx)
	}
}

// reload serves the files as they are, if they have changed and can be served.
func (w *watcher) reload(ctx context.Context) {
	begin := time.Now()
	f, err := folder.Open(w.app.folder.Dir)
	if err == nil {
		w.noteData(ctx, f)
	}
	if err == nil && f.Version == w.app.folder.Version {
		if w.problem != "" {
			w.problem = ""
			w.log.InfoContext(ctx, "the schema is again as it is served")
			w.changes.set(change{Schema: f.Version})
		}
		return
	}
	var migrated []string
	if err == nil {
		migrated, err = w.serve(ctx, f)
	}
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		w.report(ctx, err)
		return
	}
	w.problem = ""
	w.log.InfoContext(ctx, "the schema is reloaded", "took", time.Since(begin))
	w.changes.set(change{Schema: f.Version, Migrated: migrated})
}

// noteData logs what to do about other data than those that the local engine's table was made from.
func (w *watcher) noteData(ctx context.Context, f *folder.Folder) {
	if data := dataFileOf(f); data != w.data {
		w.data = data
		if w.table.IsLocal() && data.path != "" {
			w.log.InfoContext(ctx, "the data are loaded into a new table only: start again with --reset", "file", data.path)
		}
	}
}

// serve replaces the schema that is served. It returns what was migrated.
func (w *watcher) serve(ctx context.Context, f *folder.Folder) (migrated []string, err error) {
	a := w.app
	a.use(f)
	if w.designed.hasRecord() && w.table.IsLocal() {
		if migrated, err = w.designed.migrateHere(ctx, &a); err != nil {
			return nil, err
		}
	}
	if err := w.designed.use(ctx, &a); err != nil {
		return nil, err
	}
	w.app = a
	w.writeForEditors(ctx)
	return migrated, nil
}

// writeForEditors writes what editors need for the schema that is served. It is served without that, too.
func (w *watcher) writeForEditors(ctx context.Context) {
	if err := w.app.folder.WriteForEditors(); err != nil {
		w.log.WarnContext(ctx, "editors do not know the schema as it is", "problem", err.Error())
	}
}

// report prints why the files are not served, once.
func (w *watcher) report(ctx context.Context, err error) {
	problem := err.Error()
	if problem == w.problem {
		return
	}
	w.problem = problem
	if findings, is := errors.AsType[directives.Findings](err); is {
		_, _ = fmt.Fprintln(w.out, findings)
		w.log.WarnContext(ctx, "the last valid schema is served", "findings", len(findings))
	} else {
		w.log.WarnContext(ctx, "the last valid schema is served", "problem", problem)
	}
	w.changes.set(change{Schema: w.app.folder.Version, Problem: problem})
}
