package app

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/exit"
	"github.com/partita/partita/gateway"
	"github.com/partita/partita/gateway/auth"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
)

// authSettings says whose tokens are trusted for a table. The demo secret is for
// the local engine alone, whose data nobody has to be kept from.
func authSettings(s auth.Settings, local bool) (auth.Settings, error) {
	if local {
		return s.ForDemo(), nil
	}
	if s.IsDemo() {
		return s, &exit.Error{
			Problem: "the demo secret, which everybody knows, would open this table to everybody",
			Fix:     "set JWT_SECRET to a secret of your own, or JWT_JWKS_URL to your identity provider's keys",
			Code:    exit.Config,
		}
	}
	return s, nil
}

// newAuthenticator is for the table that is served.
func newAuthenticator(ctx context.Context, s auth.Settings, log *slog.Logger) (*auth.Authenticator, error) {
	authenticator, err := auth.New(ctx, s, log)
	if err == nil && !authenticator.Enabled() {
		log.WarnContext(ctx, "no tokens are trusted, so that all callers are anonymous: set JWT_JWKS_URL or JWT_SECRET")
	}
	return authenticator, err
}

// playgroundSettings let a visitor of the local engine's data act as the demo
// data's viewer.
func playgroundSettings(s auth.Settings) gateway.Playground {
	p := gateway.Playground{DefaultQuery: demo.Query()}
	if s.IsDemo() {
		p.Headers = func() map[string]string {
			token, err := auth.Mint(s, demo.Viewer(), 24*time.Hour)
			if err != nil {
				return nil
			}
			return map[string]string{"Authorization": "Bearer " + token}
		}
	}
	return p
}

// tokenCommand is `partita token`.
type tokenCommand struct {
	Table table.Settings `embed:""`
	Auth  auth.Settings  `embed:""`

	User    string        `arg:"" help:"The id of the user, as a response gave it or as the table stores it; \"demo\" for the demo data's viewer."`
	Role    []string      `placeholder:"ROLE" help:"A role such as ADMIN; may be repeated."`
	Expires time.Duration `default:"24h" help:"How long the token is valid."`
}

// Validate refuses a token that is never valid.
func (c *tokenCommand) Validate() error {
	if c.Expires < time.Second {
		return fmt.Errorf("--expires must be 1s or longer, not %v", c.Expires)
	}
	return nil
}

// Run prints the token.
func (c *tokenCommand) Run(ctx context.Context) error {
	id, err := c.id()
	if err != nil {
		return &usageError{err}
	}
	settings, err := authSettings(c.Auth, c.Table.Local(ctx))
	if err != nil {
		return err
	}
	token, err := auth.Mint(settings, viewer.Viewer{ID: id, Roles: c.Role}, c.Expires)
	if err != nil {
		return err
	}
	_, err = fmt.Println(token)
	return err
}

// id is the raw value of the user's id, whichever form was given.
func (c *tokenCommand) id() (string, error) {
	if c.User == "demo" {
		return demo.Viewer().ID, nil
	}
	if id, err := keys.ParseID(c.User); err == nil && id.Type() != "" && len(id.Values()) == 1 {
		return id.Value(), nil
	}
	if err := keys.CheckText("user", c.User); err != nil || strings.Contains(c.User, " ") {
		return "", fmt.Errorf("%q is not the id of a user", c.User)
	}
	return c.User, nil
}
