package document

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/internal/jsonerror"
	"github.com/partita/partita/internal/plan"
)

// The format and version in the file, see ParseManifest.
const (
	manifestFormat  = "apollo-persisted-query-manifest"
	manifestVersion = 1
)

// A Manifest lists the operations of a gateway that executes only these.
type Manifest struct {
	byID   map[string]*listedOperation
	byBody map[string]*listedOperation
	names  []string
}

// Names returns the names of the operations in the order of the file; nil for a nil Manifest.
func (m *Manifest) Names() []string {
	if m == nil {
		return nil
	}
	return m.names
}

// Document returns the valid document of an operation, with it alone; nil if none has the id.
func (m *Manifest) Document(id string) *ast.QueryDocument {
	if o := m.byID[id]; o != nil {
		return o.document
	}
	return nil
}

type listedOperation struct {
	body     string
	document *ast.QueryDocument
}

// ParseManifest parses a manifest in the format of @apollo/generate-persisted-query-manifest, see NewManifest.
//
// https://www.apollographql.com/docs/graphos/platform/security/persisted-queries
func ParseManifest(file []byte, schema *ast.Schema) (*Manifest, error) {
	operations, err := ReadManifest(file)
	if err != nil {
		return nil, err
	}
	return NewManifest(operations, schema)
}

// NewManifest returns the manifest of operations. They must be valid in the schema; the error names all that are not.
func NewManifest(operations []ManifestOperation, schema *ast.Schema) (*Manifest, error) {
	manifest := &Manifest{byID: map[string]*listedOperation{}, byBody: map[string]*listedOperation{}}
	var errs []error
	schema = plan.API(schema)
	for i, operation := range operations {
		if err := manifest.add(operation, schema); err != nil {
			errs = append(errs, fmt.Errorf("operation %d, %q: %w", i+1, operation.Name, err))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return manifest, nil
}

// ManifestOperation is an operation in the file of a manifest.
type ManifestOperation struct{ ID, Name, Type, Body string }

// ReadManifest returns the operations in a manifest, at least one. They need not be valid.
func ReadManifest(file []byte) ([]ManifestOperation, error) {
	var m struct {
		Format     string
		Version    int
		Operations []ManifestOperation
	}
	if err := json.Unmarshal(file, &m); err != nil {
		return nil, fmt.Errorf("it is not the JSON of a manifest (%w)", jsonerror.Describe(err))
	}
	if m.Format != manifestFormat || m.Version != manifestVersion {
		return nil, fmt.Errorf("its format is %q, version %d, not %q, version %d",
			m.Format, m.Version, manifestFormat, manifestVersion)
	}
	if len(m.Operations) == 0 {
		return nil, errors.New("it lists no operation")
	}
	return m.Operations, nil
}

func (m *Manifest) add(o ManifestOperation, schema *ast.Schema) error {
	if o.ID == "" || o.Body == "" {
		return errors.New("it needs an id and a body")
	}
	if other, taken := m.byID[o.ID]; taken {
		if other.body != o.Body { // the same operation may be listed for several clients
			return fmt.Errorf("another operation has the id %q", o.ID)
		}
		return nil
	}
	document, err := parser.ParseQuery(&ast.Source{Name: "body", Input: o.Body})
	if err != nil {
		return err
	}
	if errs := validator.ValidateWithRules(schema, document, rules.NewDefaultRules()); len(errs) > 0 {
		return errors.Join(errs.Unwrap()...)
	}
	if len(document.Operations) != 1 {
		return fmt.Errorf("its body has %d operations, not one", len(document.Operations))
	}
	operation := document.Operations[0]
	if operation.Name != o.Name || string(operation.Operation) != o.Type {
		return fmt.Errorf("its type and name are %s %q, but its body is the %s %q",
			o.Type, o.Name, operation.Operation, operation.Name)
	}
	m.byID[o.ID] = &listedOperation{o.Body, document}
	m.byBody[o.Body] = m.byID[o.ID]
	m.names = append(m.names, o.Name)
	return nil
}
