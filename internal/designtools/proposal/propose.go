package proposal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/designpage"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/directives/edits"
)

// Limits of an input. Each pattern that is left out needs another run of the checks.
const (
	MaxPatterns = 300
	maxTypes    = 200
)

// itemOverhead is how many bytes DynamoDB adds to the size of each item and entry.
const itemOverhead = 100

// Propose returns the schema files with keys for the patterns. The result has no findings. The error says what to
// correct, or is that of the context.
func Propose(ctx context.Context, sources []*ast.Source, patterns []Pattern, types []Type) (*Proposal, error) {
	if len(patterns) > MaxPatterns || len(types) > maxTypes {
		return nil, fmt.Errorf("there are more than %d patterns or %d types: propose keys for a part of them", MaxPatterns,
			maxTypes)
	}
	known, err := typesByName(types)
	if err != nil {
		return nil, err
	}
	r := &run{sources: sources, patterns: patterns, types: known, extend: true}
	for range 2*MaxPatterns + 2 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if done, err := r.try(); err != nil {
			return nil, err
		} else if done {
			return r.result(), nil
		}
	}
	return nil, errors.New("no keys were found that the checks accept: propose keys for a part of the patterns")
}

func typesByName(types []Type) (map[string]Type, error) {
	byName := map[string]Type{}
	for _, t := range types {
		const most = 409_600
		if t.MaxBytes < 0 || t.MaxBytes > most || t.Count < 0 || t.Count > 1e11 || !(t.WritesPerSecond >= 0) {
			return nil, fmt.Errorf("type %.100q: maxBytes is at most %d, count at most 1e11, and no number is negative", t.Name,
				most)
		}
		byName[t.Name] = t
	}
	return byName, nil
}

// run is one call of Propose.
type run struct {
	sources  []*ast.Source
	patterns []Pattern
	types    map[string]Type
	// extend allows paths to join by a longer order. It is tried first.
	extend bool
	// dropped are the patterns that cannot be served, by their fields.
	dropped []Unserved

	placed   *placer
	inferred map[string]bool
	texts    []*ast.Source
	notes    []string
	schema   *directives.Schema
}

// try makes a proposal of the patterns that have not been dropped, and reports whether the checks accept it. If not,
// more is dropped.
func (r *run) try() (done bool, err error) {
	m, before, err := newModel(r.sources)
	if err != nil {
		return false, fmt.Errorf("the types are not GraphQL: %w", err)
	}
	if slices.ContainsFunc(m.files, func(f *ast.SchemaDocument) bool { return len(f.Schema)+len(f.SchemaExtension) > 0 }) {
		return false, errors.New("the schema declares a table or other roots: keys are proposed for new tables with " +
			"type Query; remove extend schema, or use `partita table import` for a table that exists")
	}
	if err := r.checkTypes(m); err != nil {
		return false, err
	}
	needs := r.needs(m, before)
	r.placed = m.place(needs, r.types, r.extend)
	r.texts = r.placed.print()
	r.notes = nil
	found := r.fixIDs()
	if len(found) == 0 {
		r.schema, err = folder.Load(r.texts, false)
		return true, err
	}
	if r.extend {
		r.extend = false
		return false, nil
	}
	return false, r.drop(found)
}

// checkTypes returns an error for what is said of types that do not exist.
func (r *run) checkTypes(m *model) error {
	for name, t := range r.types {
		if m.kind(name) != ast.Object {
			return fmt.Errorf("types: there is no object type %.100q: %s", name, likelyHelp(name, m.names))
		}
		for _, a := range t.Identity {
			if f := m.attribute(name, a); f == nil || !f.Type.NonNull || !m.isKey(f) {
				return fmt.Errorf("types: %s.%.100s cannot identify an object: name a field that is a text, a number or a "+
					"time, and never null", name, a)
			}
		}
	}
	return nil
}

// needs returns what the patterns need. Fields of the others are removed.
func (r *run) needs(m *model, before former) []*need {
	m.findStored(r.patterns)
	patterns, inferred := m.infer(r.patterns)
	r.inferred = inferred
	var needs []*need
	seen := map[string]bool{}
	for _, p := range patterns {
		parent, name, _ := strings.Cut(p.Field, ".")
		if seen[p.Field] {
			continue
		}
		if slices.ContainsFunc(r.dropped, func(u Unserved) bool { return u.Field == p.Field }) {
			m.remove(parent, name)
			continue
		}
		seen[p.Field] = true
		n, err := m.need(p, before)
		if err == nil && len(r.identityOf(m, n)) == 0 {
			err = unserved("nothing identifies a "+n.of, "add id: ID! to it, or name the fields in identity of types")
		}
		if e, is := errors.AsType[*unservedError](err); is {
			r.dropped = append(r.dropped, Unserved{p.Field, e.reason, e.help})
			m.remove(parent, name)
			continue
		}
		m.stored[n.of] = true
		needs = append(needs, n)
	}
	r.removeUnserved(m, needs)
	return needs
}

// identityOf returns what can identify the objects of a need: not what does so in the end.
func (r *run) identityOf(m *model, n *need) []string {
	if known := slices.Concat(r.types[n.of].Identity, m.edges[n.of]); len(known) > 0 {
		return known
	}
	if f := m.attribute(n.of, "id"); f != nil && f.Type.NonNull {
		return []string{"id"}
	}
	if n.isOne() && len(n.Constants) == 0 {
		return n.equal
	}
	return nil
}

// removeUnserved removes types that no need reads from those that are stored.
func (r *run) removeUnserved(m *model, needs []*need) {
	for name := range m.stored {
		isRead := slices.ContainsFunc(needs, func(n *need) bool { return n.of == name })
		f := m.attribute(name, "id")
		if !isRead && (f == nil || !f.Type.NonNull) {
			delete(m.stored, name)
		}
	}
	if len(m.fields(query)) == 0 && len(m.defs[query]) > 0 {
		def := m.defs[query][0]
		def.Fields = append(def.Fields, &ast.FieldDefinition{Name: "node", Type: ast.NamedType("Node", nil),
			Arguments: ast.ArgumentDefinitionList{{Name: "id", Type: ast.NonNullNamedType("ID", nil)}}})
	}
}

// fixIDs makes a String of each ID of which no key shows the type, and returns the findings that are left.
func (r *run) fixIDs() directives.Findings {
	check := func(files []*ast.Source) directives.Findings { return folder.Findings(files, false) }
	found := check(r.texts)
	for range maxTypes {
		i := slices.IndexFunc(found, func(f directives.Finding) bool {
			return strings.HasPrefix(f.What, "no key shows the type of this id")
		})
		if i < 0 {
			break
		}
		fixed, ok := edits.Fix(r.texts, found[i], check)
		if !ok {
			break
		}
		r.notes = append(r.notes, found[i].Coordinate+" is a String, because no key shows of which type the id is")
		r.texts = fixed
		found = check(r.texts)
	}
	return found
}

// drop drops a pattern for each finding. The error has the findings if there are no patterns any more.
func (r *run) drop(found directives.Findings) error {
	if len(r.placed.needs) == 0 {
		return fmt.Errorf("the types cannot be served with any keys; correct them first:\n%w", found[:min(len(found), 20)])
	}
	before := len(r.dropped)
	for _, f := range found {
		if n := r.about(f); n != nil {
			r.dropNeed(n, f)
		}
	}
	if len(r.dropped) == before {
		r.dropNeed(r.placed.needs[len(r.placed.needs)-1], found[0])
	}
	return nil
}

func (r *run) dropNeed(n *need, f directives.Finding) {
	field := n.Pattern.Field
	if slices.ContainsFunc(r.dropped, func(u Unserved) bool { return u.Field == field }) {
		return
	}
	u := Unserved{field, f.What, f.Fix}
	if f.Coordinate != field {
		u.Reason = f.Coordinate + ": " + u.Reason
	}
	r.dropped = append(r.dropped, u)
}

// about returns the need that a finding is about: that of the field, or the last one that reads the type by more than
// its identity. It is nil if there is none.
func (r *run) about(f directives.Finding) *need {
	typ, _, _ := strings.Cut(f.Coordinate, ".")
	var last *need
	for _, n := range r.placed.needs {
		if n.Pattern.Field == f.Coordinate {
			return n
		}
		if n.of == typ && r.placed.served[n].path != nil {
			last = n
		}
	}
	return last
}

// result returns the accepted proposal with its costs.
func (r *run) result() *Proposal {
	p := &Proposal{
		Files: map[string]string{}, Patterns: []Served{}, Types: []Stored{}, Unserved: r.dropped,
		Indexes: r.placed.indexes(), Notes: append(slices.Clone(r.placed.notes), r.notes...),
	}
	p.Unserved = append([]Unserved{}, r.dropped...)
	if p.Indexes == nil {
		p.Indexes = []string{}
	}
	for _, text := range r.texts {
		p.Files[text.Name] = text.Input
	}
	for _, n := range r.placed.needs {
		f := r.schema.Field(n.parent, n.field)
		if f == nil {
			p.Unserved = append(p.Unserved, Unserved{
				n.Pattern.Field, "no field leads to objects of " + n.parent, "serve the fields that do first",
			})
			continue
		}
		pattern := r.schema.Pattern(f, false)
		p.Patterns = append(p.Patterns, Served{
			n.Pattern.Field, pattern.Request, strings.ReplaceAll(pattern.Condition, "`", ""), pattern.Cost.Requests,
			pattern.Cost.Units, r.inferred[n.Pattern.Field],
		})
	}
	for _, t := range designpage.New(designpage.Options{}, r.schema).Types {
		p.Types = append(p.Types, r.stored(t))
	}
	return p
}

func (r *run) stored(t designpage.Type) Stored {
	one := Stored{
		Name: t.Name, Keys: []string{}, Items: t.Items, Entries: t.Entries, CreateUnits: t.Create.WriteUnits,
		UpdateUnits: t.Update.WriteUnits, DeleteUnits: t.Delete.WriteUnits,
	}
	for _, k := range t.Kinds {
		one.Keys = append(one.Keys, strings.ReplaceAll(fmt.Sprintf("%s: %s, %s", k.What, k.PK, cmp.Or(k.SK, "no sort key")),
			"`", ""))
	}
	one.Bytes = r.types[t.Name].Count * int64((t.MaxBytes+itemOverhead)*(t.Items+t.Entries))
	return one
}
