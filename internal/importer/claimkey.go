package importer

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
)

// claimed is what the key of a claim says.
type claimed struct {
	// prefix is what the key begins with, between is behind the scope, and sk is the sort key, "" for that of the
	// partition key.
	prefix, between, sk string
	// typ and attribute are those of the field, in capitals with TypeDORM.
	typ, attribute string
	// scope is within what the value is unique.
	scope []string
	value string
}

const (
	oneTableClaim = "_unique#"
	typeDORMClaim = "DRM_GEN_"
)

// claimedBy returns what the key of an entry claims. types are the values of the type attribute.
func claimedBy(t *layout, e *entry, types map[string]bool) (c claimed, ok bool) {
	pk, sk := e.Text(t.PK.String()), e.Text(t.SK.String())
	if rest, is := strings.CutPrefix(pk, oneTableClaim); is && sk == oneTableClaim {
		parts := strings.Split(rest, "#")
		i := max(0, slices.IndexFunc(parts, func(part string) bool { return types[part] }))
		if len(parts) < i+3 {
			return c, false
		}
		between := parts[i] + "#" + parts[i+1] + "#"
		return claimed{oneTableClaim, between, sk, parts[i], parts[i+1], parts[:i], strings.Join(parts[i+2:], "#")}, true
	}
	field, value, hasValue := strings.Cut(strings.TrimPrefix(pk, typeDORMClaim), "#")
	typ, attribute, hasField := strings.Cut(field, ".")
	if !strings.HasPrefix(pk, typeDORMClaim) || sk != pk || !hasValue || !hasField {
		return c, false
	}
	return claimed{typeDORMClaim, field + "#", "", typ, attribute, nil, value}, true
}

// isClaim reports whether an item claims a value. TypeDORM writes no type into it.
func (t *layout) isClaim(it item.Item) bool {
	_, is := claimedBy(t, &entry{Item: it}, nil)
	return is
}

// isOf reports whether two claims are of the same field, within as many values.
func (c *claimed) isOf(other claimed) bool {
	return c.prefix == other.prefix && c.between == other.between && len(c.scope) == len(other.scope)
}

// matches reports whether a name is the one that the key has.
func (c *claimed) matches(name, inKey string) bool {
	return name == inKey || c.prefix == typeDORMClaim && strings.EqualFold(name, inKey)
}
