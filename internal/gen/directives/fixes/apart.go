package fixes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Apart returns the fix for a stored key that a read selects without returning it: a sort key of its own for that, or
// for the one that the read returns. The fix changes the fields that read it, too.
func Apart(r *reading.Design, rd *reading.Read, selected *reading.Key) string {
	if rd.IsNarrow(selected) && slices.Contains(rd.Possible, selected.Of.Name) {
		return divided(r, rd, selected)
	}
	if r.Layout != nil {
		return withOther(r, rd, selected)
	}
	candidates := []*reading.Key{selected}
	for _, f := range r.StoredKeys() {
		if f != selected && rd.IsMatch(f) {
			candidates = append(candidates, f)
		}
	}
	for _, f := range candidates {
		if f.Directive != nil && ownSortKey(f) != f.SK.String() && !slices.ContainsFunc(r.Reads,
			func(other *reading.Read) bool {
				return other.IsMatch(f) && len(other.Matches) > 1 && !slices.Equal(other.Possible, []string{f.Of.Name})
			}) {
			return moved(r, f)
		}
	}
	return moved(r, selected)
}

// withOther returns the fix for a read of an existing table that also selects another stored key, which stays as it is:
// a longer beginning of the sort key, or no such field.
func withOther(r *reading.Design, rd *reading.Read, selected *reading.Key) string {
	if sk := leadingOf(r, rd, selected); sk != "" {
		return fmt.Sprintf("write sk: %q", sk)
	}
	return fmt.Sprintf("remove %s from type %s, or read an index whose keys begin otherwise", rd.Name, rd.Parent)
}

// leadingOf returns a longer beginning of a sort key that selects what a read returns, and not another stored key.
func leadingOf(r *reading.Design, rd *reading.Read, selected *reading.Key) string {
	for _, m := range rd.Matches {
		leading := m.Shape.SK.Leading()
		if rd.Kind != design.Query || len(leading) <= len(rd.SK.String()) || strings.HasPrefix(selected.SK.Leading(),
			leading) {
			continue
		}
		longer := *rd.Field
		longer.SK = keys.MustDelimited(rd.SK.Delimiter(), leading)
		if matches := design.FindMatches(r.KeyTypes(), &longer); len(matches) == len(rd.Matches) {
			return leading
		}
	}
	return ""
}

// divided returns the fix for a read whose last literal is a value in one stored key, and begins a longer literal in
// another: the other then continues it with the delimiter, and is not equal to the narrow one.
func divided(r *reading.Design, rd *reading.Read, narrow *reading.Key) string {
	for _, f := range r.StoredKeys() {
		if n := len(rd.SK.Segments()); rd.IsMatch(f) && !rd.IsNarrow(f) && f.Directive != nil &&
			f.SK.Segments()[n-1].Literal != rd.SK.Segments()[n-1].Literal {
			sk := sdl.Joined(rd.SK.String(), ownSortKey(f), rd.SK.Delimiter())
			if parsed, err := r.Parse(sk); err == nil && r.CanBeEqual(f.Of.Segments(parsed), narrow.Of.Segments(narrow.SK)) {
				sk = sdl.Joined(sk, sdl.ConstantCase(f.Of.Name), rd.SK.Delimiter())
			}
			return fmt.Sprintf("on type %s replace %s\nwith %s", f.Of.Name, f.Source(), sdl.WithSortKey(f.Directive, sk))
		}
	}
	return "write another sk"
}

// moved returns the fix that gives a stored key a sort key that begins with a literal of its own.
func moved(r *reading.Design, f *reading.Key) string {
	own := movedSortKey(f)
	fix := fmt.Sprintf("on type %s replace %s\nwith %s", f.Of.Name, f.Source(), sdl.WithSortKey(f.Directive, own))
	for _, rd := range r.Reads {
		if rd.Directive != nil && rd.IsMatch(f) && rd.SK.String() != "" {
			fix += fmt.Sprintf("\non field %s replace sk: %q with sk: %q", rd.Coordinate(), rd.SK, readOfOwn(rd, f, own))
		}
	}
	return fix
}

// readOfOwn returns the sort key with which a field reads what is stored under a sort key that begins with a literal of
// its own.
func readOfOwn(rd *reading.Read, f *reading.Key, own string) string {
	text, used := own, 0
	if parsed, err := keys.ParseDelimited(f.SK.Delimiter(), own); err == nil && len(parsed.Variables()) > 0 {
		text = strings.TrimSuffix(parsed.Leading(), f.SK.Delimiter())
	}
	for i, s := range rd.SK.Segments() {
		stored := f.SK.Segments()[i]
		if stored.Variable == "" || s.Variable == "" && len(s.Literal) <= len(stored.Literal) {
			continue
		}
		s.Literal = s.Literal[len(stored.Literal):]
		text = sdl.Joined(text, s.String(), f.SK.Delimiter())
		used++
	}
	if rd.Kind == design.Query && used == 0 && len(f.SK.Variables()) > 0 {
		text += f.SK.Delimiter()
	}
	return text
}

// selectBy continues the sort key with the arguments that the read does not use yet and that select objects by a value
// of theirs. They come before what orders the collection.
func selectBy(r *reading.Design, rd *reading.Read, t *reading.Type, pk, sk string) string {
	for _, a := range rd.Def.Arguments {
		attr := t.Attribute(a.Name)
		kind, ranged := r.ArgumentKind(a)
		if attr == nil || ranged || kind != attr.Kind || !canOrder(rd, attr) || inTemplate(pk+sk, a.Name) {
			continue
		}
		sk = r.Join(sk, keys.Segment{Variable: a.Name, Width: t.Width(a.Name)}.String())
	}
	return sk
}

// canOrder reports whether an attribute can be in the sort key that is proposed for a read. An object without a value
// has no entry in an index; a copy needs all values of its key.
func canOrder(rd *reading.Read, attr *design.Attribute) bool {
	return reading.HasText(attr.Kind) && (attr.NonNull || rd.Index != "")
}

// inTemplate reports whether the text of a template names a variable.
func inTemplate(template, variable string) bool {
	return strings.Contains(template, "{"+variable+"}") || strings.Contains(template, "{"+variable+":")
}

// finishSortKey adds the variables that order the collection and that make the sort key unique.
func finishSortKey(r *reading.Design, rd *reading.Read, t *reading.Type, pk, sk string) string {
	add := func(name string) {
		sk = r.Join(sk, keys.Segment{Variable: name, Width: t.Width(name)}.String())
	}
	for _, name := range order(r, rd, t) {
		if !strings.Contains(sk, "{"+name+"}") {
			add(name)
		}
	}
	unique := t.Identity
	if t.Attribute("id") != nil && !isSpreadRead(r, rd, t, pk) {
		unique = []string{"id"}
	}
	for _, name := range unique {
		if !inTemplate(pk+sk, name) {
			add(name)
		}
	}
	if len(unique) > 0 && !strings.Contains(sk, "{") {
		add(unique[len(unique)-1])
	}
	return strings.TrimSuffix(sk, r.Names().Delimiter)
}

// isSpreadRead reports whether the proposed index of a read is one in shards, whose sort key must identify the object.
func isSpreadRead(r *reading.Design, rd *reading.Read, t *reading.Type, pk string) bool {
	template, err := r.Parse(pk)
	return rd.Index != "" && err == nil && r.IsNarrow(t, template)
}

// order returns the attribute by which a collection is sorted: a range argument, or else a time.
func order(r *reading.Design, rd *reading.Read, t *reading.Type) []string {
	for _, a := range rd.Def.Arguments {
		if attr := t.Attribute(a.Name); attr != nil && canOrder(rd, attr) && r.RangeEnd(a.Type) != nil {
			return []string{a.Name}
		}
	}
	var times []string
	for _, a := range t.Attributes {
		isOrder := rd.Index != "" || !slices.Contains(t.Identity, a.Name) || a.Name == "createdAt"
		if a.Kind == keys.Time && a.NonNull && isOrder {
			times = append(times, a.Name)
		}
	}
	if slices.Contains(times, "createdAt") {
		return []string{"createdAt"}
	}
	if len(times) == 1 {
		return times
	}
	return nil
}
