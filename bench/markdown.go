package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// writeTable writes a Markdown table with aligned columns.
func writeTable(b *strings.Builder, header []string, rows [][]string) {
	rule := make([]string, len(header))
	widths := make([]int, len(header))
	for _, row := range append([][]string{header}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for i, width := range widths {
		rule[i] = strings.Repeat("-", width)
	}
	for _, row := range slices.Concat([][]string{header, rule}, rows) {
		for i, cell := range row {
			fmt.Fprintf(b, "| %s%s ", cell, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
		}
		b.WriteString("|\n")
	}
}

// machine returns when and on what everything was measured.
func machine() string {
	return fmt.Sprintf("%s, %s on %d cores of %s",
		time.Now().UTC().Format(time.DateOnly), runtime.Version(), runtime.NumCPU(), processor())
}

// processor returns the name of the processor.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // it has no name otherwise
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// marks are the lines around results in a file.
type marks struct{ begin, end string }

var (
	runMarks  = marks{"<!-- make bench writes from here -->\n", "<!-- to here -->\n"}
	fairMarks = marks{"<!-- bin/bench fair writes from here -->\n", "<!-- to here -->\n"}
	liveMarks = marks{"<!-- bin/bench live writes from here -->\n", "<!-- to here -->\n"}
)

// publish prints the results, and writes them between the marks of a file unless path is empty.
func publish(text, path string, m marks) error {
	if _, err := fmt.Print(text); err != nil || path == "" {
		return err
	}
	return writeBetweenMarks(path, m, text)
}

// writeBetweenMarks replaces what is between the marks of a file.
func writeBetweenMarks(path string, m marks, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(old), m.begin)
	_, after, ends := strings.Cut(rest, m.end)
	if !begins || !ends {
		return fmt.Errorf("%s must have the lines %q and %q around the results", path, m.begin, m.end)
	}
	return os.WriteFile(path, []byte(before+m.begin+"\n"+text+"\n"+m.end+after), 0o644)
}
