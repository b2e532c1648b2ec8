package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/google/renameio/v2"

	"github.com/partita/partita/keys"
)

// checkpoint is a run between two pages: all that it needs to go on.
type checkpoint struct {
	Table string `json:"table"`
	// Repairs tells a run of Repair from one of Table.
	Repairs bool `json:"repairs"`
	// Pass counts the passes from 0, and Start is the last item of its pages so
	// far, zero before the first.
	Pass   int      `json:"pass"`
	Start  keys.Key `json:"start,omitzero"`
	Report Report   `json:"report"`
}

// CheckpointError is a checkpoint file that a run cannot go on from.
type CheckpointError struct {
	// Path is the file, Problem what is wrong with it and what to do.
	Path, Problem string
	Err           error
}

func (e *CheckpointError) Error() string { return "checkpoint " + e.Path + ": " + e.Problem }

// Unwrap returns the cause, or nil.
func (e *CheckpointError) Unwrap() error { return e.Err }

// resume reads the file, if there is one; run says what the run is that wants to
// go on.
func resume(path string, run checkpoint) (checkpoint, error) {
	if path == "" {
		return run, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return run, nil
	}
	var saved checkpoint
	if err == nil {
		err = json.Unmarshal(text, &saved)
	}
	switch {
	case err != nil:
		return run, &CheckpointError{path, fmt.Sprintf("cannot be read (%v); name another file, or remove it to begin anew", err), err}
	case saved.Table != run.Table || saved.Repairs != run.Repairs:
		command := map[bool]string{false: "check", true: "repair"}[saved.Repairs]
		return run, &CheckpointError{path, fmt.Sprintf("is of a %s of table %q; name another file, or remove it to begin anew", command, saved.Table), nil}
	}
	return saved, nil
}

// save writes the file whole or not at all.
func (c checkpoint) save(path string) error {
	if path == "" {
		return nil
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := renameio.WriteFile(path, text, 0o600); err != nil {
		return &CheckpointError{path, fmt.Sprintf("cannot be written (%v)", err), err}
	}
	return nil
}

// discard removes the file of a run that is finished.
func discard(path string) error {
	if path == "" {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &CheckpointError{path, fmt.Sprintf("cannot be removed (%v)", err), err}
	}
	return nil
}
