package docstest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fencedCode  = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	link        = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading     = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	// mentionedPage is how code, comments and printed URLs name a page.
	mentionedPage = regexp.MustCompile(`\bdocs/[a-z-]+/[a-z-]+\.md(?:#[a-z0-9_-]+)?`)
)

// TestLinks: the files and headings exist to which pages link, and the pages that other files mention.
func TestLinks(t *testing.T) {
	repository := os.DirFS(checkout)
	links := 0
	err := fs.WalkDir(repository, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) { // a temporary file of another test
				return nil
			}
			return err
		}
		switch name := entry.Name(); {
		case entry.IsDir() && (name == "node_modules" || name == "dist" || len(name) > 1 && name[0] == '.'):
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		var targets []string
		switch filepath.Ext(file) {
		case ".md":
			text, err := fs.ReadFile(repository, file)
			if err != nil {
				return err
			}
			for _, m := range link.FindAllStringSubmatch(fencedCode.ReplaceAllString(string(text), ""), -1) {
				switch target := m[1]; {
				case strings.Contains(target, "://"):
				case target[0] == '#':
					targets = append(targets, file+target)
				default:
					targets = append(targets, path.Join(path.Dir(file), target))
				}
			}
		case ".go", ".mjs", ".graphqls":
			text, err := fs.ReadFile(repository, file)
			if err != nil {
				return err
			}
			targets = mentionedPage.FindAllString(string(text), -1)
		}
		for _, target := range targets {
			links++
			if err := exists(repository, target); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if links < 500 {
		t.Errorf("only %d links were found", links)
	}
}

// exists returns an error unless there is the file of a link and, if it has a fragment, the heading.
func exists(repository fs.FS, target string) error {
	file, fragment, isFragment := strings.Cut(target, "#")
	if !isFragment {
		_, err := fs.Stat(repository, file)
		return err
	}
	text, err := fs.ReadFile(repository, file)
	if err != nil {
		return err
	}
	for _, m := range heading.FindAllStringSubmatch(fencedCode.ReplaceAllString(string(text), ""), -1) {
		title := link.ReplaceAllString(m[1], "]")
		anchor := strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(title), ""), " ", "-")
		if anchor == fragment {
			return nil
		}
	}
	return fmt.Errorf("%s has no heading with the anchor #%s", file, fragment)
}
