package app

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gateway/browser"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/playground"
)

// httpSettings are about browsers and the operations that clients may send.
type httpSettings struct {
	CORSOrigins browser.Origins     `name:"cors-origins" env:"CORS_ORIGINS" help:"Other origins whose pages may use the gateway, such as https://shop.example, with commas between them; * for all. On the local engine those of this machine are always allowed."`
	CORSHeaders browser.HeaderNames `name:"cors-headers" env:"CORS_HEADERS" placeholder:"HEADER,..." help:"Further request headers that these pages may send, such as X-Region."`
	HSTSMaxAge  time.Duration       `name:"hsts-max-age" env:"HSTS_MAX_AGE" default:"0s" range:"0s..87600h" help:"How long browsers shall use https alone, where a proxy in front has it; 0 does not say."`
	Manifest    string              `name:"operations-manifest" env:"OPERATIONS_MANIFEST" placeholder:"FILE" help:"A persisted-query manifest of Apollo's; no other operations are executed."`
	Playground  string              `name:"playground-files" env:"PLAYGROUND_FILES" type:"path" predictor:"file" placeholder:"DIR" help:"A folder with the playground's built page, instead of the page that is embedded."`

	operations *document.Manifest
	page       fs.FS
}

// open reads the files that the settings name.
func (s *httpSettings) open(schema *ast.Schema) error {
	return cmp.Or(s.openManifest(schema), s.openPlayground())
}

func (s *httpSettings) openPlayground() (err error) {
	if s.Playground == "" {
		return nil
	}
	if s.page, err = playground.Open(s.Playground); err != nil {
		return &exit.Error{
			Problem: fmt.Sprintf("the folder %s has no playground page (%v)", s.Playground, err),
			Fix:     "set PLAYGROUND_FILES to the folder that `npm run build:playground` writes in a copy of Partita",
			Code:    exit.Config, Err: err,
		}
	}
	return nil
}

func (s *httpSettings) openManifest(schema *ast.Schema) error {
	if s.Manifest == "" {
		return nil
	}
	file, err := folder.ReadFile(s.Manifest)
	if cause, is := errors.AsType[*fs.PathError](err); is {
		return &exit.Error{
			Problem: fmt.Sprintf("cannot read the operations manifest %s (%v)", s.Manifest, cause.Err),
			Fix:     "set OPERATIONS_MANIFEST to the file that @apollo/generate-persisted-query-manifest writes",
			Code:    exit.Config, Err: err,
		}
	}
	if err == nil {
		s.operations, err = document.ParseManifest(file, schema)
	}
	if err != nil {
		return &exit.Error{
			Problem: fmt.Sprintf("the operations manifest %s cannot be used: %v", s.Manifest, err),
			Fix:     "generate it again for this schema",
			Code:    exit.Config, Err: err,
		}
	}
	return nil
}
