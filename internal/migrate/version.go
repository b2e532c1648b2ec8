package migrate

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Version is a schema with its design, as a Record has it.
type Version struct {
	*directives.Schema
	// SDL is the schema with its directives in canonical form: what directives.SDL returns, after what is known of the
	// Tenancy.
	SDL string
	// Tenancy is whether the data have tenants.
	Tenancy Tenancy
}

// NewVersion returns the version of a schema.
func NewVersion(schema *directives.Schema) Version {
	return Version{Schema: schema, SDL: directives.SDL(schema.AST)}
}

// ParseVersion returns the version of an SDL that NewVersion has returned. The error is directives.Findings if this
// program does not accept what the one that wrote it has accepted.
func ParseVersion(sdl string) (Version, error) {
	tenancy, text := cutTenancy(sdl)
	loaded, err := directives.Load(&ast.Source{Name: "record.graphqls", Input: text})
	if err != nil {
		return Version{}, err
	}
	schema, err := directives.Read(loaded)
	if err != nil {
		return Version{}, err
	}
	return Version{Schema: schema, SDL: sdl, Tenancy: tenancy}, nil
}

// Recognising returns both sides of a migration, each with a design that recognises an item of its objects whichever
// value of the type attribute it has: where an item remains, its value changes in place.
func Recognising(from, to Version) (formerSide, laterSide Version) {
	names := NewNames(from, to)
	return from.recognising(to, names.LaterType), to.recognising(from, names.FormerType)
}

func (v Version) recognising(other Version, nameOf func(string) string) Version {
	further := map[string]string{}
	for _, t := range v.Types {
		of := other.Type(nameOf(t.Name))
		isTaken := func(t *design.Type) bool { return t.TypeValue() == of.TypeValue() }
		if of != nil && !slices.Contains(t.Values, of.TypeValue()) && !slices.ContainsFunc(v.Types, isTaken) {
			further[t.Name] = of.TypeValue()
		}
	}
	if len(further) > 0 {
		schema := *v.Schema
		schema.Design = v.Design.WithValues(further)
		v.Schema = &schema
	}
	return v
}

// ID returns a short name of the version: the beginning of the SHA-256 of its SDL, in hexadecimal digits.
func (v Version) ID() string {
	sum := sha256.Sum256([]byte(v.SDL))
	return hex.EncodeToString(sum[:6])
}

// With returns the version with what is known of the tenants of its data.
func (v Version) With(t Tenancy) Version {
	_, sdl := cutTenancy(v.SDL)
	v.Tenancy, v.SDL = t, t.text()+sdl
	return v
}

// Prefix returns what precedes each partition key for every caller; the zero Tenant unless everything belongs to one.
func (v Version) Prefix() keys.Tenant {
	if v.Tenancy.Kind != OfFirst {
		return ""
	}
	return v.Layout.TenantPrefix(v.Tenancy.First)
}
