package browse

import (
	"slices"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// part is a part of a key value: see keys.Part.
type part struct {
	Text string `json:"text"`
	// Field is the field whose value the text is, such as User.id; "" for a literal.
	Field string `json:"field,omitempty"`
	// Value is the value in the default format if it is another text.
	Value   string `json:"value,omitempty"`
	IsShard bool   `json:"shard,omitempty"`
	// Link leads to the object that the value is the id of.
	Link *link `json:"link,omitempty"`
}

// keyShown returns both parts of the key of an item, whose type may be nil, in an index or in the table.
func (b *Browser) keyShown(ix *stored.IndexLayout, t *design.Type, key keys.Key) (pk, sk keyShown) {
	pk = keyShown{Name: ix.PK.String(), Text: ix.ShowPK(key.PK)}
	sk = keyShown{Name: ix.SK.String(), Text: ix.ShowSK(key.SK)}
	if t != nil {
		if pkParts, skParts, ok := t.DecodeKey(ix.Name, key); ok {
			pk.Parts, sk.Parts = b.parts(t, pkParts), b.parts(t, skParts)
			return pk, sk
		}
	}
	pk.Parts, sk.Parts = b.partitionParts(ix, key.PK, t), literal(sk.Text)
	if ix.Name == "" && string(key.PK) == string(key.SK) {
		sk.Parts = pk.Parts // a claim, or the only item with this id
	}
	return pk, sk
}

// partitionParts returns the parts of a partition key. It is decoded as one of a type whose objects it identifies, or
// else of any other type, of the likely one if that has such keys: likely may be nil.
func (b *Browser) partitionParts(ix *stored.IndexLayout, pk keys.PK, likely *design.Type) []part {
	best, from := []keys.Part(nil), (*design.Type)(nil)
	types := b.design.Types
	if likely != nil {
		types = append([]*design.Type{likely}, types...)
	}
	for _, t := range types {
		parts, ok := t.DecodePK(ix.Name, pk)
		if !ok {
			continue
		}
		if base, isBase := t.Shapes()[0].PK.Decode(string(pk)); isBase && ix.Name == "" && identifies(t) {
			return b.parts(t, base)
		}
		if from == nil {
			best, from = parts, t
		}
	}
	if from == nil {
		return b.claimParts(ix, pk)
	}
	return b.parts(from, best)
}

// claimParts returns the parts of a partition key as one of the claim of a unique value, or else as a literal.
func (b *Browser) claimParts(ix *stored.IndexLayout, pk keys.PK) []part {
	for _, t := range b.design.Types {
		for _, u := range t.Uniques {
			if parts, ok := u.Key.Decode(string(pk)); ok && ix.Name == "" {
				return b.parts(t, parts)
			}
		}
	}
	return literal(ix.ShowPK(pk))
}

// identifies reports whether the partition key alone identifies an object of the type.
func identifies(t *design.Type) bool {
	variables := t.Item.PK.Variables()
	return len(variables) > 0 && !slices.ContainsFunc(t.Identity, func(name string) bool {
		return !slices.Contains(variables, name)
	})
}

func literal(text string) []part {
	if text == "" {
		return []part{}
	}
	return []part{{Text: text}}
}

func (b *Browser) parts(t *design.Type, decoded []keys.Part) []part {
	parts := make([]part, len(decoded))
	for i, d := range decoded {
		p := part{Text: d.Text, IsShard: d.IsShard}
		if d.Variable != "" {
			p.Field = t.Name + "." + d.Variable
			p.Link = b.reference(t, d.Variable, d.Value)
		}
		if d.Value != d.Text {
			p.Value = d.Value
		}
		parts[i] = p
	}
	return parts
}

// keyShown is a part of a primary key, or of the key of an entry.
type keyShown struct {
	Name  string `json:"name"`
	Text  string `json:"text"`
	Parts []part `json:"parts"`
}
