package migrate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// keyTexts writes the templates of keys such that those of two versions are the same if their keys are: with the later
// names of variables, and with the formats of values where these differ.
type keyTexts struct {
	name    func(variable string) string
	formats map[string]string
	// values are those of an enum that have other names, for keys with names; places are the order of the values, for
	// keys with places.
	values, places map[string]string
}

func newKeyTexts(name func(variable string) string) keyTexts {
	return keyTexts{name, map[string]string{}, map[string]string{}, map[string]string{}}
}

func (d *Difference) keyTexts(from, to *design.Type) (was, is keyTexts) {
	was = newKeyTexts(func(name string) string { return cmp.Or(d.LaterField(from.Name, name), name) })
	is = newKeyTexts(func(name string) string { return name })
	for i := range to.Attributes {
		a := &to.Attributes[i]
		b := from.Attribute(d.FormerField(to.Name, a.Name))
		if b != nil && (a.As != b.As || a.Kind != b.Kind) {
			was.formats[a.Name], is.formats[a.Name] = formatText(b), formatText(a)
		}
		if b != nil {
			d.compareValues(&was, &is, b, a, d.formerValues(d.valueType(to.Name, a.Name)))
		}
	}
	return was, is
}

// compareValues sets what differs of the values of an enum in keys. renamed are the former names by the later ones.
func (d *Difference) compareValues(was, is *keyTexts, from, to *design.Attribute, renamed keys.Renaming) {
	if later := slices.Sorted(maps.Keys(renamed)); len(later) > 0 {
		is.values[to.Name] = strings.Join(later, " or ")
		for i, name := range later {
			later[i] = renamed[name]
		}
		was.values[to.Name] = strings.Join(later, " or ")
	}
	before, back := from.Places.Names(), renamed.Inverse()
	for i, name := range before {
		before[i] = back.Text(name)
	}
	if !keys.PlacesOf(before).Agree(to.Places) {
		was.places[to.Name] = strings.Join(from.Places.Names(), ", ")
		is.places[to.Name] = strings.Join(to.Places.Names(), ", ")
	}
}

// text returns the text of a key that is spread over shards; 1 if it is not.
func (k keyTexts) text(s keys.Shape, shards int) string {
	text := fmt.Sprintf("%q", s.PK.Renamed(k.name).String())
	if sk := s.SK.Renamed(k.name).String(); sk != "" {
		text += fmt.Sprintf(" %q", sk)
	}
	if shards > 1 {
		text += fmt.Sprintf(" in %d shards", shards)
		if delimiter := s.PK.Delimiter(); delimiter != keys.Delimiter {
			text += fmt.Sprintf(" after %q", delimiter)
		}
	}
	segments := slices.Concat(s.PK.Segments(), s.SK.Segments())
	slices.SortStableFunc(segments, func(a, b keys.Segment) int { return strings.Compare(a.Variable, b.Variable) })
	var further []string
	for _, segment := range segments {
		name, values := k.name(segment.Variable), k.values
		if segment.Width > 0 {
			values = k.places
		}
		for _, format := range [...]string{k.formats[name], values[name]} {
			if format != "" && !slices.Contains(further, " with "+name+" as "+format) {
				further = append(further, " with "+name+" as "+format)
			}
		}
	}
	return text + strings.Join(further, "")
}

// sharedPlace returns why two objects of a type would have one key, by a version each: the places in it of a value that
// identifies the objects differ. It is "" if they would not.
func sharedPlace(s keys.Shape, identity []string, was, is keyTexts) string {
	for _, segment := range slices.Concat(s.PK.Segments(), s.SK.Segments()) {
		name := segment.Variable
		if segment.Width > 0 && was.places[name] != "" && slices.Contains(identity, name) {
			return fmt.Sprintf("a key would be that of one object by the order %s and of another one by %s: "+
				"add values at the end", was.places[name], is.places[name])
		}
	}
	return ""
}

// placesOfCopies returns why the copies of a type cannot have two orders of an enum's values in their keys while both
// versions are written: a value by one order may have the key that the object's former value has by the other. It is ""
// if their keys are the same by both.
func placesOfCopies(t *design.Type, was, is keyTexts) string {
	for _, c := range t.Copies {
		for _, segment := range slices.Concat(c.PK.Segments(), c.SK.Segments()) {
			if name := segment.Variable; segment.Width > 0 && was.places[name] != "" {
				return fmt.Sprintf("by the order %s, a copy may have the key that another value of its object has by %s: "+
					"add values at the end", is.places[name], was.places[name])
			}
		}
	}
	return ""
}
