package app

import (
	"os"
	"path/filepath"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/designpage"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/playground"
	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/gen/directives"
)

// drawing returns what the page of the design shows beside the schema. It is called after the folder, or the program if
// it has a name.
func (a *Application) drawing(hasTenants bool) designpage.Options {
	o := designpage.Options{Title: a.Name, Tenants: hasTenants}
	switch {
	case a.folder != nil:
		o.Title, o.HasFiles, o.Findings = titleOf(a.folder.Dir), true, a.folder.Unserved()
	case a.Name == defaultName:
		o.Title = "the table"
	}
	return o
}

// titleOf returns the name of a folder.
func titleOf(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return filepath.Base(dir)
}

// drawFindings writes the page of a folder that cannot be served, if the page is what the command writes.
func (c *designCommand) drawFindings(dir string, found directives.Findings) error {
	if c.Format != formatHTML {
		return nil
	}
	text, _ := designpage.Faulty(titleOf(dir), found).HTML(nil)
	_, err := os.Stdout.Write(text)
	return err
}

// page returns the page of the design as one file.
func (c *designCommand) page(a *Application, design *directives.Schema) ([]byte, error) {
	page := designpage.New(a.drawing(c.TenantClaim != ""), design)
	if c.Base != "" {
		if err := c.compare(a, page); err != nil {
			return nil, err
		}
	}
	text, _ := page.HTML(nil)
	return text, nil
}

// compare adds to the page what has changed since the base.
func (c *designCommand) compare(a *Application, page *designpage.Page) error {
	v := versions{folderArgument: c.folderArgument, Base: c.Base, Schema: c.Schema}
	head, err := v.head(a)
	if err != nil {
		return err
	}
	base, err := v.base()
	if err != nil {
		return err
	}
	if base.Source == nil {
		return &exit.Error{
			Problem: "of the base " + c.Base + " only the API is known, not its design",
			Fix:     "name a git revision or a folder with --base; `diff` compares with an API", Code: exit.Config,
		}
	}
	schema, err := directives.Read(base.Source)
	if err != nil {
		return err
	}
	page.Compare(c.Base, designpage.New(designpage.Options{}, schema), contract.Compare(base, head))
	return nil
}

// designPage returns the page at /design.
func (a *Application) designPage(hasTenants bool) gateway.DesignPage {
	schema, o := a.Schema.Schema(), a.drawing(hasTenants)
	return func(links []playground.Link) (text []byte, policy string, err error) {
		design, err := directives.Read(schema)
		if err != nil {
			return nil, "", err
		}
		text, policy = designpage.New(o, design).HTML(links)
		return text, policy, nil
	}
}

// fieldFacts returns what the playground adds to the descriptions of fields.
func (a *Application) fieldFacts() gateway.FieldFacts {
	schema := a.Schema.Schema()
	return func() (map[string]string, error) {
		design, err := directives.Read(schema)
		if err != nil {
			return nil, err
		}
		return designpage.Facts(design), nil
	}
}
