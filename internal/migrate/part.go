package migrate

import (
	"fmt"
	"strings"
)

// PartKind is what a Part of a design is.
type PartKind string

// The kinds of parts.
const (
	// ItemKey is the key of the base items of a type, with its shards.
	ItemKey PartKind = "ITEM_KEY"
	// CopyItem is a copy.
	CopyItem PartKind = "COPY"
	// IndexEntry is an entry in an index, with its shards.
	IndexEntry PartKind = "INDEX_ENTRY"
	// AttributeOf is the name, the format or the presence of an attribute.
	AttributeOf PartKind = "ATTRIBUTE"
	// EnumValue is a value of an enum.
	EnumValue PartKind = "ENUM_VALUE"
	// Claim is a unique attribute.
	Claim PartKind = "CLAIM"
	// CounterOf is a counter.
	CounterOf PartKind = "COUNTER"
	// TypeOf is a type as a whole, or its name.
	TypeOf PartKind = "TYPE"
	// TypeValue is the value of the type attribute, and the constants of a type.
	TypeValue PartKind = "TYPE_VALUE"
	// Expiry is the attribute by which objects expire.
	Expiry PartKind = "EXPIRY"
	// TableIndex is an index of the table.
	TableIndex PartKind = "TABLE_INDEX"
	// TableKey is the names of the table's keys and of its type attribute.
	TableKey PartKind = "TABLE_KEY"
	// TableTenants is whether the table has tenants.
	TableTenants PartKind = "TABLE_TENANTS"
	// MutationOf is a mutation that writes too much while both designs are written.
	MutationOf PartKind = "MUTATION"
)

// PartChange is how a part differs between the sides of a Record.
type PartChange string

// The changes.
const (
	New     PartChange = "NEW"
	Changed PartChange = "CHANGED"
	Gone    PartChange = "GONE"
)

// Part is a part of a design that differs between two versions.
type Part struct {
	Kind   PartKind   `json:"kind"`
	Change PartChange `json:"change"`
	// Type is the stored type, by its later name if it has one; "" for a part of the table.
	Type string `json:"type,omitempty"`
	// Name is that of an attribute, an index, an enum's value or a counter, "" for other kinds.
	Name string `json:"name,omitempty"`
	// From and To are the part in both versions, such as the templates of a key.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// IsInPlace is set if one attribute of one item has another value. Fields that need it are NOT_READY while it changes.
	IsInPlace bool `json:"inPlace,omitempty"`
	// Blocked is why no step leads there, and what to do instead; "" for what can be done.
	Blocked string `json:"blocked,omitempty"`
	// IsFree is set if nothing that is stored has to change.
	IsFree bool `json:"free,omitempty"`
}

// String returns a line such as `Recipe: ITEM_KEY "RECIPE#{id}" becomes "DISH#{id}"`.
func (p Part) String() string {
	var b strings.Builder
	if p.Type != "" {
		b.WriteString(p.Type + ": ")
	}
	b.WriteString(string(p.Kind))
	if p.Name != "" {
		b.WriteString(" " + p.Name)
	}
	switch {
	case p.Kind == MutationOf:
		b.WriteString(" " + p.To)
	case p.Change == Changed:
		fmt.Fprintf(&b, " %s becomes %s", p.From, p.To)
	case p.Change == New:
		b.WriteString(" is new" + with(p.To))
	default:
		b.WriteString(" is gone" + with(p.From))
	}
	if p.Blocked != "" {
		b.WriteString("; " + p.Blocked)
	}
	return b.String()
}

func with(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}
