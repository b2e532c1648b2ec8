package browse

import (
	"slices"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/write"
)

// maxPatterns is how many places a value is looked for at most: each of them is a Query.
const maxPatterns = 20

// pattern is a way to find a value: a field of Query whose key needs one argument, or the claim of a unique value.
type pattern struct {
	// By is the field, such as Query.userByEmail, or the unique field, such as User.email.
	By    string `json:"by"`
	Index string `json:"index,omitempty"`
	PK    string `json:"pk"`
	// SK is what the sort keys begin with; with Exact, it is the sort key.
	SK    string `json:"sk,omitempty"`
	Exact bool   `json:"exact,omitempty"`
	// Condition is the key condition for people.
	Condition string `json:"condition"`
	// One is set if there is at most one object; otherwise the place is a collection.
	One bool `json:"one,omitempty"`
}

// patterns returns by what a value can be found, in the order of the schema, those of one object first.
func (b *Browser) patterns(value string) []pattern {
	var one, several []pattern
	for _, f := range b.design.Fields {
		for _, p := range b.patternsOf(f, value) {
			if p.One {
				one = append(one, p)
			} else {
				several = append(several, p)
			}
		}
	}
	for _, t := range b.design.Types {
		for _, u := range t.Uniques {
			key, err := write.UniqueKey(t, u, value)
			if err == nil && len(u.Key.Variables()) == 1 {
				ix := b.design.Layout.Index("")
				one = append(one, exactly(&ix, t.Name+"."+u.Attribute, key))
			}
		}
	}
	all := slices.Concat(one, several)
	return all[:min(len(all), maxPatterns)]
}

// patternsOf returns where a field of Query reads with a value for its only variable: in several shards, if the value
// is spread.
func (b *Browser) patternsOf(f *design.Field, value string) []pattern {
	argument := onlyArgument(f)
	if argument == nil {
		return nil
	}
	bound := keys.ArgumentValue(*argument, value)
	if argument.Kind == keys.IDKind && argument.Ref != "" {
		bound = keys.IDValue(keys.NewID(argument.Ref, value))
	}
	c, err := f.Bind(keys.Values{{Name: argument.Name, Value: bound}}.Get).At(b.source.Now()).Condition()
	if err != nil || c.IsEmpty() {
		return nil
	}
	ix := b.design.Layout.Index(f.Index)
	if f.Kind == design.Get {
		return []pattern{exactly(&ix, f.Coordinate(), c.Key)}
	}
	var all []pattern
	for _, p := range c.Partitions {
		found := newPattern(&ix, f.Coordinate(), p.PK, c.Prefix)
		found.One = f.Result == design.One
		all = append(all, found)
	}
	return all
}

// onlyArgument returns the argument whose value alone makes the key condition of a field of Query; nil if there is
// none. An enum has few values, each of many objects, and is left out, as are time buckets.
func onlyArgument(f *design.Field) *keys.Argument {
	if f.Parent != "Query" || f.Kind.IsByID() || f.Bucketed() != "" {
		return nil
	}
	var only *keys.Argument
	for _, name := range append(f.PK.Variables(), f.SK.Variables()...) {
		a := f.Argument(name)
		if a == nil || only != nil && only != a {
			return nil
		}
		only = a
	}
	if only == nil || only.Range || only.Parts > 0 || only.Kind == keys.Enum || only.Kind == keys.Boolean {
		return nil
	}
	return only
}

// exactly returns the pattern of a whole key.
func exactly(ix *stored.IndexLayout, by string, key keys.Key) pattern {
	p := newPattern(ix, by, key.PK, key.SK)
	p.Exact, p.One = true, true
	if p.SK != "" {
		p.Condition = ix.PK.Describe(p.PK) + ", " + ix.SK.Describe(p.SK)
	}
	return p
}

func newPattern(ix *stored.IndexLayout, by string, pk keys.PK, sk keys.SK) pattern {
	p := pattern{By: by, Index: ix.Name, PK: ix.ShowPK(pk), SK: beginning(ix, sk)}
	p.Condition = ix.PK.Describe(p.PK)
	if p.SK != "" {
		p.Condition += ", begins_with(" + ix.SK.String() + ", " + p.SK + ")"
	}
	return p
}
