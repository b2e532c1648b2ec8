package app

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/auth"
	"github.com/partita/partita/internal/gateway/playground"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// clockSkew is how far the clock of a token's issuer may be ahead or behind: more than clocks that are synchronized
// differ, and too little to be worth an expired token.
const clockSkew = 30 * time.Second

// authSettings returns the settings for a table, whose tenants are named by a claim of tokens. The demo secret is
// accepted only for the local engine, which has public data.
func (a *Application) authSettings(ctx context.Context, s auth.Settings, t local.Settings) (auth.Settings, error) {
	s.ClockSkew, s.TenantClaim, s.CheckTenant = clockSkew, t.TenantClaim, a.Design.Layout.CheckTenant
	if t.Local(ctx) {
		return s.ForDemo(), nil
	}
	if s.IsDemo() {
		return s, &exit.Error{
			Problem: "the demo secret, which everybody knows, would open this table to everybody",
			Fix:     "set JWT_SECRET to a secret of your own, or JWT_ISSUER and JWT_AUDIENCE to those of your identity provider",
			Code:    exit.Config,
		}
	}
	return s, nil
}

// newAuthenticator returns the authenticator of a gateway.
func newAuthenticator(ctx context.Context, s auth.Settings, log *slog.Logger) (*auth.Authenticator, error) {
	authenticator, err := auth.New(ctx, s, log)
	if err == nil && !authenticator.Enabled() {
		log.WarnContext(ctx,
			"no tokens are trusted, so that all callers are anonymous: set JWT_ISSUER and JWT_AUDIENCE, or JWT_SECRET")
	}
	return authenticator, err
}

// demoUser is the id of the demo tenant's viewer if the demo data have none.
const demoUser = "demo"

// viewer returns the viewer of the demo data, whose tenant is "" without tenants.
func (d Demo) viewer(t local.Settings) viewer.Viewer {
	v := d.Viewer
	if t.TenantClaim != "" {
		v.ID, v.Tenant = cmp.Or(v.ID, demoUser), local.DemoTenant
	}
	return v
}

// visitorSettings are who uses the playground on the local engine.
type visitorSettings struct {
	PlaygroundViewer   []string `env:"PLAYGROUND_VIEWER" placeholder:"ID,ROLE,..." help:"The id of the viewer whose token the playground has on the local engine, as in a response or as in the table, and the viewer's roles. Those of the demo data by default; a folder has none."`
	PlaygroundClientID string   `env:"PLAYGROUND_CLIENT_ID" placeholder:"ID" help:"The id of the playground as a public client of the identity provider, with the playground's address as its redirect URI: visitors can sign in there."`
}

// Validate returns an error for what is no id.
func (s visitorSettings) Validate() error {
	if len(s.PlaygroundViewer) == 0 {
		return nil
	}
	_, err := viewerID(s.PlaygroundViewer[0])
	return err
}

// check returns an error for a client without a provider.
func (s visitorSettings) check(a *auth.Authenticator) error {
	if s.PlaygroundClientID == "" {
		return nil
	}
	return a.CheckSignIn()
}

// signIn returns how visitors of the playground sign in; nil without a client.
func (s visitorSettings) signIn(a *auth.Authenticator) func(*http.Request) *playground.SignIn {
	if s.PlaygroundClientID == "" {
		return nil
	}
	return func(r *http.Request) *playground.SignIn {
		provider, isKnown := a.SignIn(r.Context())
		if !isKnown {
			return nil
		}
		return &playground.SignIn{
			ClientID: s.PlaygroundClientID, Issuer: provider.Issuer, Audience: provider.Audience,
			AuthorizationEndpoint: provider.AuthorizationEndpoint, TokenEndpoint: provider.TokenEndpoint,
		}
	}
}

// as returns the demo data with the viewer of the settings.
func (d Demo) as(s visitorSettings) Demo {
	if len(s.PlaygroundViewer) == 0 {
		return d
	}
	if id, err := viewerID(s.PlaygroundViewer[0]); err == nil {
		d.Viewer, d.Identities = viewer.Viewer{ID: id, Roles: s.PlaygroundViewer[1:]}, nil
	}
	return d
}

// identities returns those among which a visitor of the playground can choose; none without a viewer.
func (d Demo) identities(t local.Settings) []Identity {
	identities := d.Identities
	if len(identities) == 0 {
		v := d.viewer(t)
		if v.IsAnonymous() {
			return nil
		}
		identities = []Identity{
			{Name: v.ID, Description: "The viewer of the playground.", Viewer: v},
			{Name: "anonymous", Description: "A caller without a token."},
		}
	}
	return identities
}

// playground returns the playground's settings. On the local engine, a visitor can choose whom its requests are from.
func (d Demo) playground(s auth.Settings, t local.Settings, page fs.FS) gateway.Playground {
	p := gateway.Playground{Tabs: playground.Tabs(d.Query), TenantClaim: t.TenantClaim, Files: page}
	if s.IsDemo() && len(d.identities(t)) > 0 {
		p.Identities = func() []playground.Identity { return d.mint(s, t) }
	}
	return p
}

// mint returns the identities with tokens. One whose token cannot be minted is left out.
func (d Demo) mint(s auth.Settings, t local.Settings) []playground.Identity {
	var minted []playground.Identity
	for _, i := range d.identities(t) {
		headers := map[string]string{}
		if v := i.Viewer; !v.IsAnonymous() {
			if t.TenantClaim != "" {
				v.Tenant = local.DemoTenant
			}
			token, err := auth.Mint(s, v, 24*time.Hour)
			if err != nil {
				continue
			}
			headers["Authorization"] = "Bearer " + token
		}
		minted = append(minted, playground.Identity{Name: i.Name, Description: i.Description, Headers: headers})
	}
	return minted
}

// viewerID returns the raw value of a user's id, which may be given as a global id or a raw value.
func viewerID(user string) (string, error) {
	if id, err := keys.ParseID(user); err == nil && id.Type() != "" && len(id.Values()) == 1 {
		return id.Value(), nil
	}
	if err := keys.CheckText("user", user); err != nil || strings.Contains(user, " ") {
		return "", fmt.Errorf("%q is not the id of a user", user)
	}
	return user, nil
}
