package app

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// aboutOf returns the arguments of a command line that say which schema and which table it is about.
func aboutOf(command *kong.Context) string {
	var b strings.Builder
	if dir := folderOf(command); dir != "" {
		b.WriteString(" " + shellWord(dir))
	}
	shared := flagsOf(command.Model.Node, "table", "create")
	for _, p := range command.Path {
		if p.Flag != nil && slices.Contains(shared, p.Flag.Name) {
			b.WriteString(" " + shellWord(fmt.Sprintf("--%s=%v", p.Flag.Name, p.Flag.Target)))
		}
	}
	return b.String()
}

// flagsOf returns the names of the flags of a command about its table.
func flagsOf(node *kong.Node, path ...string) []string {
	for _, name := range path {
		i := slices.IndexFunc(node.Children, func(c *kong.Node) bool { return c.Name == name })
		node = node.Children[i]
	}
	var names []string
	for _, f := range node.Flags {
		names = append(names, f.Name)
	}
	return names
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=,@%+-]+$`)

// shellWord returns a text as one word of a shell.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
