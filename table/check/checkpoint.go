package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/google/renameio/v2/maybe"

	"github.com/partita/partita/internal/jsonerror"
	"github.com/partita/partita/keys"
)

// checkpoint is the state of a run between two pages.
type checkpoint struct {
	Table string `json:"table"`
	// Repairs is true for a run of Repair, false for one of Table.
	Repairs bool  `json:"repairs"`
	Scope   Scope `json:"scope,omitzero"`
	// Pass is the number of the pass, from 0. Start is the last item of its pages so
	// far, zero before the first.
	Pass   int      `json:"pass"`
	Start  keys.Key `json:"start,omitzero"`
	Report Report   `json:"report"`
}

// CheckpointError is the error of a checkpoint file that cannot be used.
type CheckpointError struct {
	// Path is the file. Problem is what is wrong with it and what to do.
	Path, Problem string
	Err           error
}

func (e *CheckpointError) Error() string { return "checkpoint " + e.Path + ": " + e.Problem }

// Unwrap returns the cause, or nil.
func (e *CheckpointError) Unwrap() error { return e.Err }

// maxCheckpoint is the size in bytes of the largest checkpoint that is read.
const maxCheckpoint = 256 << 20

// readCheckpoint reads a file that may be another one than a checkpoint.
func readCheckpoint(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxCheckpoint:
		return nil, errors.New("it is no file of a check")
	}
	return os.ReadFile(path)
}

// resume returns the checkpoint in the file if that exists, else run, the beginning
// of the run to resume, which has a number of passes.
func resume(path string, run checkpoint, passes int) (checkpoint, error) {
	if path == "" {
		return run, nil
	}
	text, err := readCheckpoint(path)
	if errors.Is(err, fs.ErrNotExist) {
		return run, nil
	}
	var saved checkpoint
	if err == nil {
		err = jsonerror.Describe(json.Unmarshal(text, &saved))
	}
	if err == nil && (saved.Pass < 0 || saved.Pass >= passes) {
		err = fmt.Errorf("it has no pass %d", saved.Pass)
	}
	switch {
	case err != nil:
		problem := fmt.Sprintf("cannot be read (%v); name another file, or remove it to begin anew", err)
		return run, &CheckpointError{path, problem, err}
	case !saved.Scope.Equal(run.Scope):
		problem := "is of a run with other --only, --type or --index; name another file, or remove it to begin anew"
		return run, &CheckpointError{path, problem, nil}
	case saved.Table != run.Table || saved.Repairs != run.Repairs:
		command := map[bool]string{false: "check", true: "repair"}[saved.Repairs]
		problem := fmt.Sprintf("is of a %s of table %q; name another file, or remove it to begin anew", command, saved.Table)
		return run, &CheckpointError{path, problem, nil}
	}
	return saved, nil
}

// save replaces the file, atomically except on Windows.
func (c checkpoint) save(path string) error {
	if path == "" {
		return nil
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := maybe.WriteFile(path, text, 0o600); err != nil {
		return &CheckpointError{path, fmt.Sprintf("cannot be written (%v)", err), err}
	}
	return nil
}

// discard removes the file of a finished run.
func discard(path string) error {
	if path == "" {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &CheckpointError{path, fmt.Sprintf("cannot be removed (%v)", err), err}
	}
	return nil
}
