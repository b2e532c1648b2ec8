package app

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/posener/complete"
	"github.com/willabides/kongplete"
)

// completionCommand is `completion`. The shells run the program itself for each completion, so that the words are
// those of its version.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// completionScripts are the lines that make a shell ask the program NAME. It asks by the variable COMP_LINE, which bash
// defines; zsh has a module for that, and fish needs a function.
var completionScripts = map[string]string{
	"bash": "complete -C NAME NAME\n",
	"zsh":  "autoload -U +X bashcompinit && bashcompinit\ncomplete -C NAME NAME\n",
	"fish": `function __NAME_words
    set --local --export COMP_LINE (commandline --cut-at-cursor --current-process | string collect)
    NAME
end
complete --command NAME --no-files --arguments '(__NAME_words)'
`,
}

// Run prints the script of the shell.
func (c *completionCommand) Run(k *kong.Kong, a *Application) error {
	_, err := fmt.Fprint(k.Stdout, strings.ReplaceAll(completionScripts[c.Shell], "NAME", a.Name))
	return err
}

// complete prints what can follow a line and ends the process, if a shell asks for that.
func (a *Application) complete(parser *kong.Kong) {
	kongplete.Complete(parser, kongplete.WithPredictors(map[string]complete.Predictor{
		"file":   complete.PredictFiles("*"),
		"folder": complete.PredictDirs("*"),
	}))
}
