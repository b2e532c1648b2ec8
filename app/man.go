package app

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// manCommand is `man`.
type manCommand struct{}

// Run prints the manual page.
func (*manCommand) Run(k *kong.Kong, a *Application) error {
	page := manPage{described: map[string]bool{}}
	page.write(k.Model, a.Name+" "+version())
	_, err := io.WriteString(k.Stdout, page.String())
	return err
}

// manPage is a manual page of section 1 in the macros of man(7), written from the declarations of the command line. It
// has no date, so that the same program writes the same page.
type manPage struct {
	strings.Builder
	// described are the texts about flags that have been written.
	described map[string]bool
}

func (p *manPage) write(model *kong.Application, version string) {
	p.line(".TH %s 1 \"\" \"%s\"", strings.ToUpper(model.Name), roff(version))
	p.line(".SH NAME\n%s \\- %s", roff(model.Name), roff(model.Help))
	p.line(".SH SYNOPSIS\n%s <command> [arguments] [flags]", roff(model.Name))
	p.line(".SH DESCRIPTION\nSettings are flags and environment variables; a flag takes precedence.")
	p.flags(model.Flags)
	p.line(".SH COMMANDS")
	for _, command := range model.Leaves(true) {
		p.command(command)
	}
}

func (p *manPage) command(command *kong.Node) {
	p.line(".SS %s\n%s", roff(command.Summary()), roff(command.Help))
	for _, argument := range command.Positional {
		p.line(".TP\n.I %s\n%s", roff(argument.Summary()), roff(argument.Help))
	}
	p.flags(command.Flags)
}

// flags writes what the page does not have yet; of the others, only the names.
func (p *manPage) flags(flags []*kong.Flag) {
	var again []string
	for _, flag := range flags {
		text := fmt.Sprintf(".TP\n.B %s\n%s", roff(flag.String()), roff(kong.DefaultHelpValueFormatter(flag.Value)))
		switch {
		case flag.Hidden:
		case p.described[text]:
			again = append(again, "\\fB"+roff("--"+flag.Name)+"\\fR")
		default:
			p.described[text] = true
			p.line("%s", text)
		}
	}
	if len(again) > 0 {
		p.line(".P\nAs above: %s.", strings.Join(again, ", "))
	}
}

func (p *manPage) line(format string, arguments ...any) { fmt.Fprintf(p, format+"\n", arguments...) }

// roff escapes a text for a line of its own. What is no escape of roff's begins with a zero-width character, because a
// full stop would begin a macro.
func roff(text string) string {
	return `\&` + strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
}
