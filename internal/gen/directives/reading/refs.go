package reading

import (
	"maps"
	"slices"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// resolveRefs sets the type that each ID attribute names. A variable names a type if it is in the
// place where that type's own @item has {id}, such as userId in USER#{userId}. If that is the whole
// partition key, it must be the whole partition key of an item, too. The id of an object that an action writes names
// its type as well. Any other ID is that of a viewer: checkIDs finds those that are not.
func (r *Access) resolveRefs() {
	for _, t := range r.SortedTypes() {
		for i := range t.Attributes {
			a := &t.Attributes[i]
			switch {
			case a.Kind != keys.IDKind:
			case a.Name == "id":
				a.Ref = t.Name
			default:
				a.Ref = r.named(t, a.Name)
			}
		}
	}
}

func (r *Access) named(t *Type, variable string) string {
	named := map[string]bool{}
	for _, owner := range r.SortedTypes() {
		if owner.Item.PK.String() == "{id}" && slices.Equal(owner.Identity, []string{"id"}) && r.isPartition(t, variable) {
			named[owner.Name] = true
		}
	}
	for _, template := range r.templatesOf(t, variable) {
		for i, s := range template.Segments() {
			if s.Variable != variable {
				continue
			}
			for _, owner := range r.SortedTypes() {
				byID := slices.Equal(owner.Identity, []string{"id"})
				if byID && endsWith(template.Segments()[:i+1], owner.Item.PK.Segments()) {
					named[owner.Name] = true
				}
			}
		}
	}
	for _, name := range r.setBySteps(t, variable) {
		named[name] = true
	}
	names := slices.Sorted(maps.Keys(named))
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	r.Unclear = append(r.Unclear, unclearRef{t, variable, names})
	return ""
}

// setBySteps returns the types whose ids actions write into an attribute of the type, as {account.id} is that of the
// object of the step account.
func (r *Access) setBySteps(t *Type, attribute string) []string {
	var names []string
	for _, a := range ActionsOf(r.Schema.Mutation) {
		types := map[string]string{}
		for _, s := range a.Steps {
			types[s.Name+".id"] = s.Type
		}
		for _, s := range a.Steps {
			if s.Type != t.Name {
				continue
			}
			for _, v := range s.Set {
				of := r.Types[types[v.Operand.Text]]
				if v.Name == attribute && v.Operand.Kind == predicate.Variable && of != nil &&
					slices.Equal(of.Identity, []string{"id"}) {
					names = append(names, of.Name)
				}
			}
		}
	}
	return names
}

// isPartition reports whether a variable that is the type's attribute is the whole partition key of items: of those of
// the type, or of those that a field of the type reads.
func (r *Access) isPartition(t *Type, variable string) bool {
	isWhole := func(pk keys.Template) bool { return pk.String() == "{"+variable+"}" }
	return slices.ContainsFunc(t.StoredKeys, func(f *Key) bool { return f.Index == "" && isWhole(f.PK) }) ||
		slices.ContainsFunc(r.Reads, func(rd *Read) bool {
			return rd.ParentType == t && rd.Index == "" && rd.Def.Arguments.ForName(variable) == nil && isWhole(rd.PK)
		})
}

// templatesOf returns all templates in which a variable is the type's attribute: those of its
// stored keys, of the reads with the type as parent, and of the members of its rules.
func (r *Access) templatesOf(t *Type, variable string) []keys.Template {
	var templates []keys.Template
	for _, f := range t.StoredKeys {
		templates = append(templates, f.PK, f.SK)
	}
	reads := slices.Clone(r.Reads)
	for _, m := range r.Members {
		reads = append(reads, m.Read)
	}
	for _, rd := range reads {
		if rd.ParentType == t && rd.Def.Arguments.ForName(variable) == nil {
			templates = append(templates, rd.PK, rd.SK)
		}
	}
	return templates
}

// endsWith reports whether segments end like an owner's partition key: with the same literals, and
// a variable in the place of each variable.
func endsWith(segments, owner []keys.Segment) bool {
	n := len(segments) - len(owner)
	if n < 0 || len(owner) == 1 && owner[0].Literal == "" {
		return false
	}
	for i, o := range owner {
		s := segments[n+i]
		if s.Literal != o.Literal || (s.Variable == "") != (o.Variable == "") {
			return false
		}
	}
	return true
}

// resolveArguments sets the arguments of each matched read that are variables of its condition. All
// others are faults, which checkArguments finds.
func (r *Access) resolveArguments() {
	for _, rd := range r.Reads {
		if len(rd.Matches) == 0 {
			continue
		}
		next := r.Next(rd)
		for _, a := range rd.Def.Arguments {
			kind, ranged := r.ArgumentKind(a)
			of, isKey := next, slices.Contains(rd.Variables(), a.Name) || a.Name == next && ranged
			if slices.Contains(rd.Variables(), a.Name) {
				of = Attribute(rd.Matches[0], a.Name)
			} else if a.Name != next || !ranged {
				if a.Name == next || r.FilterFault(rd, a) != NoFilterFault {
					continue
				}
				of = a.Name
			}
			argument := keys.Argument{
				Name: a.Name, Kind: kind, Range: ranged, Prefix: r.IsPrefix(a.Type), Filter: of == a.Name && !isKey,
			}
			if stored := rd.Matches[0].Type.Attribute(of); stored != nil && kind == keys.IDKind {
				argument.Ref = stored.Ref
			}
			rd.Arguments = append(rd.Arguments, argument)
		}
	}
}

// Next returns the attribute that a range argument of the read bounds.
func (r *Access) Next(rd *Read) string {
	if rd.Kind != design.Query || len(rd.Matches) == 0 {
		return ""
	}
	resolved, err := design.Resolve(r.KeyTypes(), rd.Field)
	if err != nil {
		return ""
	}
	return resolved.Next()
}
