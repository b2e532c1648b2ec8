package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/partita/partita/internal/gateway/auth"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/viewer"
)

// tokenCommand is `token`.
type tokenCommand struct {
	leadingFolder
	Table local.Settings `embed:""`
	Auth  auth.Settings  `embed:""`

	User    string        `arg:"" optional:"" help:"The id of the user, as in a response or as in the table; \"demo\" for the demo data's viewer."`
	Tenant  string        `placeholder:"TENANT" help:"The user's tenant, in a table with tenants; on the local engine \"demo\" by default."`
	Role    []string      `placeholder:"ROLE" help:"A role such as ADMIN; may be repeated."`
	Expires time.Duration `default:"24h" range:"1s..87600h" help:"How long the token is valid."`
}

// Validate returns an error for a command without a user, see planCommand.
func (c *tokenCommand) Validate() error {
	if c.User == "" {
		return errors.New(`expected "<user>"`)
	}
	return nil
}

// Run prints the token.
func (c *tokenCommand) Run(ctx context.Context, a *Application) error {
	id, err := c.id(a.Demo.viewer(c.Table))
	if err != nil {
		return &usageError{err, a.Name}
	}
	tenant, err := c.tenant(ctx, a.Design.Layout)
	if err != nil {
		return &usageError{err, a.Name}
	}
	settings, err := a.authSettings(ctx, c.Auth, c.Table)
	if err != nil {
		return err
	}
	token, err := auth.Mint(settings, viewer.Viewer{ID: id, Roles: c.Role, Tenant: tenant}, c.Expires)
	if err != nil {
		return err
	}
	_, err = fmt.Println(token)
	return err
}

// tenant returns the tenant of the user, "" without tenants.
func (c *tokenCommand) tenant(ctx context.Context, layout *stored.Layout) (string, error) {
	tenant := c.Tenant
	switch {
	case c.Table.TenantClaim == "" && tenant != "":
		return "", errors.New("--tenant needs --tenant-claim (TENANT_CLAIM), the claim that names the tenant")
	case c.Table.TenantClaim == "":
		return "", nil
	case tenant == "" && c.Table.Local(ctx):
		tenant = local.DemoTenant
	case tenant == "":
		return "", errors.New("name the user's --tenant: the table has tenants")
	}
	if layout.CheckTenant(tenant) != nil {
		return "", fmt.Errorf("%q cannot be the name of a tenant", tenant)
	}
	return tenant, nil
}

// id returns the raw value of the user's id, which may be given as a global id, a raw value or "demo".
func (c *tokenCommand) id(demo viewer.Viewer) (string, error) {
	if c.User == "demo" && !demo.IsAnonymous() {
		return demo.ID, nil
	}
	return viewerID(c.User)
}
