package migrate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/keys/design"
)

// history is what clients may have kept of the versions that the data have followed. Its text is that of a Record.
type history struct {
	// IDs are the former forms of global ids, by type.
	IDs map[string][]design.IDForm `json:"ids,omitempty"`
	// Orders are how often the positions in a connection have become others, by coordinate.
	Orders map[string]int `json:"orders,omitempty"`
}

func parseHistory(text string) (h history, err error) {
	if text != "" {
		if err = json.Unmarshal([]byte(text), &h); err != nil {
			err = fmt.Errorf("migrate: the history of a record cannot be read: %w", err)
		}
	}
	return h, err
}

// HistoryAfter returns the text of the history once the data follow another version.
func HistoryAfter(text string, from, to Version) (string, error) {
	h, err := parseHistory(text)
	if err != nil {
		return "", err
	}
	d, next := &Difference{Names: NewNames(from, to)}, history{map[string][]design.IDForm{}, maps.Clone(h.Orders)}
	if next.Orders == nil {
		next.Orders = map[string]int{}
	}
	for _, t := range to.Types {
		if forms := d.formerIDs(h, t); len(forms) > 0 {
			next.IDs[t.Name] = forms
		}
	}
	for _, f := range to.Fields {
		if f.Result != design.Connection {
			continue
		}
		was := from.Field(d.FormerType(f.Parent), d.FormerField(f.Parent, f.Name))
		if was == nil {
			continue
		}
		n := h.Orders[was.Coordinate()]
		if d.isReordered(was, f) {
			n++
		}
		if n > 0 {
			next.Orders[f.Coordinate()] = n
		}
	}
	if len(next.IDs)+len(next.Orders) == 0 {
		return "", nil
	}
	b, err := json.Marshal(next) // with the keys of maps in order
	return string(b), err
}

// formerIDs returns the forms that global ids of a type have had before they have the present one.
func (d *Difference) formerIDs(h history, t *design.Type) []design.IDForm {
	from := d.from.Type(d.FormerType(t.Name))
	if from == nil {
		return nil
	}
	var forms []design.IDForm
	for _, form := range append(slices.Clone(h.IDs[from.Name]), design.IDForm{Type: from.Name, Identity: from.Identity}) {
		form.Identity = d.laterVariables(from, form.Identity)
		isKnown := slices.ContainsFunc(forms, func(o design.IDForm) bool {
			return o.Type == form.Type && slices.Equal(o.Identity, form.Identity)
		})
		if !isKnown && (form.Type != t.Name || !slices.Equal(form.Identity, t.Identity)) {
			forms = append(forms, form)
		}
	}
	return forms
}

// laterVariables returns the later names of variables of a type.
func (d *Difference) laterVariables(from *design.Type, names []string) []string {
	later := slices.Clone(names)
	for i, name := range later {
		if now := d.LaterField(from.Name, name); now != "" {
			later[i] = now
		}
	}
	return later
}

// ambiguous returns why the global ids of a type by one version could name other objects by the other one.
func (d *Difference) ambiguous(from, to *design.Type) string {
	hasIDs := d.from.TypeDef(from.Name).Fields.ForName("id") != nil
	if !hasIDs || from.Name != to.Name || len(from.Identity) != len(to.Identity) ||
		slices.Equal(d.laterVariables(from, from.Identity), to.Identity) {
		return ""
	}
	return fmt.Sprintf("global ids that clients have kept are made of %s, and nothing distinguishes them from those of "+
		"%s: give the type another name with @was", strings.Join(from.Identity, ":"), strings.Join(to.Identity, ":"))
}

// isReordered reports whether a position in a connection is none by the later version: a type of both versions has
// other keys there, or an entry belongs to an item with another key.
func (d *Difference) isReordered(was, is *design.Field) bool {
	before, after, isSame := map[string][]string{}, map[string][]string{}, false
	for _, m := range was.Matches() {
		name := d.LaterType(m.Type.Name)
		k := keyTexts{name: identical}
		if to := d.to.Type(name); to != nil {
			k, _ = d.keyTexts(m.Type, to)
		}
		before[name] = append(before[name], k.position(was, &m))
	}
	for _, m := range is.Matches() {
		k := keyTexts{name: identical}
		if from := d.from.Type(d.FormerType(m.Type.Name)); from != nil {
			_, k = d.keyTexts(from, m.Type)
		}
		after[m.Type.Name] = append(after[m.Type.Name], k.position(is, &m))
	}
	for name, now := range after {
		if then := before[name]; then != nil {
			slices.Sort(then)
			slices.Sort(now)
			if isSame = slices.Equal(then, now); !isSame {
				return true
			}
		}
	}
	return !isSame
}

// position returns the keys of which a position in a field consists.
func (k keyTexts) position(f *design.Field, m *design.Match) string {
	key := k.text(m.Shape, m.Shards)
	if f.Index == "" {
		return key
	}
	var places []string
	for at, entry := range entryTexts(m.Type, k) {
		if entry == key && strings.HasPrefix(at, f.Index+" ") {
			places = append(places, at)
		}
	}
	slices.Sort(places)
	return key + " " + strings.Join(places, " ")
}

// WithHistory returns the design of an API over a stored version for clients that have kept something of former ones.
func WithHistory(d *design.Design, api, stored Version, text string) (*design.Design, error) {
	h, err := parseHistory(text)
	if err != nil {
		return nil, err
	}
	names, ids, cursors := newNaming(api, stored), map[string][]design.IDForm{}, map[string]string{}
	for _, t := range api.Types {
		for _, form := range h.IDs[names.storedType(t.Name)] {
			form.Identity = slices.Clone(form.Identity)
			for i, name := range form.Identity {
				form.Identity[i] = names.apiField(t, name)
			}
			ids[t.Name] = append(ids[t.Name], form)
		}
	}
	for _, f := range d.Fields {
		at := names.storedType(f.Parent) + "." + names.storedField(f.Parent, f.Name)
		if n := h.Orders[at]; n > 0 {
			cursors[f.Coordinate()] = strconv.Itoa(n)
		}
	}
	return d.WithFormer(ids, cursors), nil
}
