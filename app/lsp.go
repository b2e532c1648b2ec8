package app

import (
	"context"
	"os"

	"github.com/partita/partita/internal/lsp"
)

// lspCommand is `lsp`.
type lspCommand struct {
	Stdio bool `hidden:"" help:"Use stdin and stdout, as always. Some editors add it to every language server."`
}

// Run answers an editor.
func (*lspCommand) Run(ctx context.Context, a *Application) error {
	ctx, exit := context.WithCancel(ctx)
	defer exit()
	return lsp.Serve(stdin(ctx), os.Stdout, a.Name, version(), exit)
}
