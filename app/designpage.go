package app

import (
	"path/filepath"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/designpage"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/playground"
	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/gen/directives"
)

// designTitle returns what the page of the design is called after: the folder, or the program if it has a name.
func (a *Application) designTitle() string {
	switch {
	case a.folder == nil && a.Name == defaultName:
		return "the table"
	case a.folder == nil:
		return a.Name
	}
	dir, err := filepath.Abs(a.folder.Dir)
	if err != nil {
		dir = a.folder.Dir
	}
	return filepath.Base(dir)
}

// page returns the page of the design as one file.
func (c *designCommand) page(a *Application, design *directives.Schema) ([]byte, error) {
	page := designpage.New(a.designTitle(), design)
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
	page.Compare(c.Base, designpage.New("", schema), contract.Compare(base, head))
	return nil
}

// designPage returns the page at /design.
func (a *Application) designPage() gateway.DesignPage {
	schema, title := a.Schema.Schema(), a.designTitle()
	return func(links []playground.Link) (text []byte, policy string, err error) {
		design, err := directives.Read(schema)
		if err != nil {
			return nil, "", err
		}
		text, policy = designpage.New(title, design).HTML(links)
		return text, policy, nil
	}
}
