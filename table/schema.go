package table

import (
	"cmp"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// Schema is what the gateway's design requires of the table: its keys and its indexes.
type Schema struct {
	// Indexes are the names of the indexes.
	Indexes []string
	// Design has the names of all attributes, and translates items; with nil they are those of stored.DefaultLayout.
	Design *design.Design
	// Tenants reports whether the tenant of the viewer precedes each partition key. A request whose context has no tenant
	// then fails: see ErrNoTenant.
	Tenants bool
	// First is the tenant to whom everything belonged when the table got tenants; "" if it has always had them. The tokens
	// of its transactions stay those of a table without tenants.
	First string
	// Owner is set, in place of Tenants, while all that is stored belongs to one tenant.
	Owner *Owner
	// Stream reports whether the table is created with a stream that has the items before and after each write: live
	// fields need it.
	Stream bool

	keyNames *keyNames
}

// SchemaOf returns the Schema of a design.
func SchemaOf(d *design.Design) Schema {
	return Schema{Indexes: d.IndexNames(), Design: d, Stream: len(d.Live) > 0}
}

// Layout returns the names of the table's attributes.
func (s Schema) Layout() *stored.Layout {
	if s.Design == nil {
		return stored.DefaultLayout()
	}
	return s.Design.Layout
}

// ExpiryAttribute returns the attribute with the time after which DynamoDB deletes an item.
func (s Schema) ExpiryAttribute() string {
	return cmp.Or(s.Design.ExpiryAttribute(), keys.AttributeExpiry)
}

// KeyAttributes returns the attributes of all keys, each once, with their types.
func (s Schema) KeyAttributes() []types.AttributeDefinition {
	var all []types.AttributeDefinition
	add := func(k keys.KeyAttributes) {
		for _, a := range k {
			isKnown := func(d types.AttributeDefinition) bool { return *d.AttributeName == a.Name }
			if slices.ContainsFunc(all, isKnown) {
				continue
			}
			typ := types.ScalarAttributeTypeS
			if a.Number {
				typ = types.ScalarAttributeTypeN
			}
			all = append(all, types.AttributeDefinition{AttributeName: &a.Name, AttributeType: typ})
		}
	}
	for _, index := range append([]string{""}, s.Indexes...) {
		ix := s.Layout().Index(index)
		add(ix.PK)
		add(ix.SK)
	}
	return all
}

// FromStored translates items of the table in place: see design.Design.FromStored.
func (s Schema) FromStored(items []item.Item) {
	for i := range items {
		items[i] = s.Design.FromStored(items[i])
	}
}

// keyNames are the stored names of key attributes: first those with a tenant, which are the partition keys of the table
// and of the indexes, or the first attribute of one, and then the others.
type keyNames struct {
	all        []string
	partitions int
}

// newKeyNames returns those of the schema.
func newKeyNames(s Schema) *keyNames {
	layout, names := s.Layout(), &keyNames{}
	add := func(k keys.KeyAttributes) {
		for _, a := range k {
			if !slices.Contains(names.all, a.Name) {
				names.all = append(names.all, a.Name)
			}
		}
	}
	indexes := append([]string{""}, s.Indexes...)
	for _, index := range indexes {
		add(layout.Index(index).PK[:1])
	}
	names.partitions = len(names.all)
	for _, index := range indexes {
		ix := layout.Index(index)
		add(ix.PK)
		add(ix.SK)
	}
	return names
}

// names returns the names of the key attributes; Open has computed those of a Table.
func (s Schema) names() *keyNames {
	if s.keyNames == nil {
		return newKeyNames(s)
	}
	return s.keyNames
}

// isPartition reports whether a stored attribute has the tenant.
func (n *keyNames) isPartition(name string) bool { return slices.Contains(n.all[:n.partitions], name) }
