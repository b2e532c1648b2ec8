package app

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/folder"
)

// sourcesAt returns the schema files of a folder at a git revision. The error is an *exit.Error.
func sourcesAt(dir, revision string) ([]*ast.Source, error) {
	if _, err := folder.Sources(dir); err != nil {
		return nil, err
	}
	commit, err := commitOf(dir, revision)
	if err != nil {
		return nil, err
	}
	// Of the working directory, which is dir: mode, type, hash, tab, name.
	list, err := git(dir, "ls-tree", "-z", commit)
	if err != nil {
		return nil, err
	}
	var sources []*ast.Source
	for entry := range strings.SplitSeq(list, "\x00") {
		about, name, _ := strings.Cut(entry, "\t")
		fields := strings.Fields(about)
		if len(fields) != 3 || fields[1] != "blob" || !folder.IsSchemaFile(name) {
			continue
		}
		if fields[0] == symbolicLink {
			return nil, &exit.Error{
				Problem: fmt.Sprintf("%s is a symbolic link in %s, whose target cannot be read there", name, revision),
				Fix:     "check the revision out (git worktree add), and name its folder with --base", Code: exit.NoInput,
			}
		}
		text, err := git(dir, "cat-file", "blob", fields[2])
		if err != nil {
			return nil, err
		}
		sources = append(sources, &ast.Source{Name: filepath.Join(dir, name), Input: text})
	}
	if len(sources) == 0 {
		return nil, &exit.Error{
			Problem: fmt.Sprintf("%s has no schema files in %s", revision, dir),
			Fix:     "name a revision that has them, or with --base the folder in which they were", Code: exit.NoInput,
		}
	}
	return sources, nil
}

// symbolicLink is the mode of a symbolic link, whose blob is the path of its target.
const symbolicLink = "120000"

// commitOf returns the hash of a revision.
func commitOf(dir, revision string) (string, error) {
	// A revision that begins with a dash is no option.
	commit, err := git(dir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err == nil {
		return strings.TrimSpace(commit), nil
	}
	shallow, repositoryErr := git(dir, "rev-parse", "--is-shallow-repository")
	if repositoryErr != nil {
		return "", repositoryErr
	}
	fix := "name a path that exists, or a branch, tag or commit; `git fetch` gets those of a remote"
	if strings.TrimSpace(shallow) == "true" {
		fix = "this clone is shallow: fetch the history (in GitHub Actions: fetch-depth: 0 for actions/checkout; " +
			"elsewhere: git fetch --unshallow)"
	}
	return "", &exit.Error{
		Problem: fmt.Sprintf("--base=%s is neither a path nor a git revision of this clone", revision), Fix: fix,
		Code: exit.NoInput, Err: err,
	}
}

// git runs git in a folder and returns its output. The error is an *exit.Error.
func git(dir string, arguments ...string) (string, error) {
	command := exec.Command("git", arguments...)
	command.Dir = dir
	var out, faults bytes.Buffer
	command.Stdout, command.Stderr = &out, &faults
	err := command.Run()
	if err == nil {
		return out.String(), nil
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "", &exit.Error{
			Problem: "git is not installed, and --base is not a path that exists",
			Fix:     "install git, or name a folder or a file with the earlier schema", Code: exit.Unavailable, Err: err,
		}
	}
	message, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(faults.String()), "fatal: "), "\n")
	return "", &exit.Error{
		Problem: fmt.Sprintf("git cannot read the repository of %s (%s)", dir, message),
		Fix:     "run the command in a clone, or name a folder or a file with the earlier schema",
		Code:    exit.NoInput, Err: err,
	}
}
