package lsp

import (
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf16"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/directives/edits"
)

// pathOf returns the path of a file, "" for the URI of anything else.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := u.Path
	if windows := strings.TrimPrefix(path, "/"); filepath.VolumeName(filepath.FromSlash(windows)) != "" {
		path = windows
	}
	return filepath.FromSlash(path)
}

func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // a drive of Windows
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// positionAt returns the position of a byte of a text.
func positionAt(text string, at int) position {
	line := strings.LastIndexByte(text[:at], '\n') + 1
	p := position{Line: strings.Count(text[:at], "\n")}
	for _, c := range text[line:at] {
		p.Character += utf16.RuneLen(c)
	}
	return p
}

// name is what is underlined at the place of a finding.
var name = regexp.MustCompile(`^(?:[@\w]+|.)`)

// rangeOf returns the word at the place of a finding.
func rangeOf(text string, f directives.Finding) textRange {
	at := f.Offset(text)
	end := at + len(name.FindString(text[at:]))
	if at > 0 && text[at-1] == '@' { // the place of a directive is behind its @
		at--
	}
	return textRange{positionAt(text, at), positionAt(text, end)}
}

// editOf returns the change of a file in the words of the protocol.
func editOf(c edits.Change) textEdit {
	return textEdit{textRange{positionAt(c.File.Input, c.Start), positionAt(c.File.Input, c.End)}, c.Text}
}
