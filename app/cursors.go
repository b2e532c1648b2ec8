package app

import (
	"fmt"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/keys"
)

// cursorSettings are about the secret that cursors are encrypted with.
type cursorSettings struct {
	CursorSecret string `env:"CURSOR_SECRET" help:"Secret that cursors are encrypted with, at least 32 bytes. By default it follows from the id of the table, so that all gateways of a table agree. Set it in the environment: other users of the machine can see flags."`

	tableID string
}

// open returns an error for a secret that can be guessed.
func (s *cursorSettings) open() error {
	if n := len(s.CursorSecret); n > 0 && n < keys.MinCursorSecretBytes {
		return &exit.Error{
			Problem: fmt.Sprintf("the secret for cursors has only %d bytes", n),
			Fix:     fmt.Sprintf("set CURSOR_SECRET to %d random bytes or more, or leave it out", keys.MinCursorSecretBytes),
			Code:    exit.Config,
		}
	}
	return nil
}

// secret returns the setting, or else the id of the table.
func (s *cursorSettings) secret() []byte {
	if s.CursorSecret != "" {
		return []byte(s.CursorSecret)
	}
	return []byte(s.tableID)
}
