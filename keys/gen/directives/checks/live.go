package directives

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkLive finds fields with @live whose changes the stream does not show, and names that clash.
func (r *checker) checkLive() {
	for _, name := range slices.Sorted(maps.Keys(r.schema.Types)) {
		def := r.schema.Types[name]
		for _, f := range def.Fields {
			if d := f.Directives.ForName("live"); d != nil && def != r.schema.Subscription {
				r.checkLivePlace(def, f, d)
			}
		}
	}
	live := r.liveReads()
	for _, rd := range live {
		r.checkLiveParent(rd)
	}
	r.checkLiveNames(live)
	r.checkLiveTypes(live)
}

// liveReads returns the reads that get a field of Subscription, those of the root of queries first.
func (r *checker) liveReads() []*read {
	var root, others []*read
	for _, rd := range r.reads {
		switch {
		case rd.LiveAs == "" || r.edges[rd.Parent] != nil || rd.Result == keys.Many:
		case rd.parent == nil:
			root = append(root, rd)
		default:
			others = append(others, rd)
		}
	}
	return append(root, others...)
}

// findLive adds a finding for the @live of a read.
func (r *checker) findLive(rd *read, what, fix string) {
	r.find(rd.def.Directives.ForName("live").Position, rd.Coordinate(), what, fix)
}

// checkLivePlace finds @live on a field that no key condition serves, or that returns neither an object nor a
// connection.
func (r *checker) checkLivePlace(def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) {
	coordinate := def.Name + "." + f.Name
	remove := "remove @live from field " + coordinate
	find := func(what, fix string) { r.find(d.Position, coordinate, what, fix) }
	switch {
	case def.Kind == ast.Interface:
		find("@live on the field of an interface: each object type has keys of its own",
			remove+", and write it on "+f.Name+" of each type that implements "+def.Name)
	case def == r.schema.Query && r.isNodeField(f):
		find("@live on "+f.Name+": its objects can be of any type",
			remove+", and write it on a field with @get")
	case readDirective(f) == nil:
		find("@live without @get or @query: only a key condition shows which changes concern a field",
			remove+", or add @get or @query")
	case r.edges[def.Name] != nil:
		find("@live on an edge's node: live data begins with an object that has an id",
			remove+", and write it on the field that returns the connection")
	case f.Type.Elem != nil:
		fix := remove
		if element := f.Type.Name(); f.Type.Elem.Elem == nil && r.connections[element] == nil {
			fix = "return " + element + connectionSuffix + ", or " + remove
		}
		find(fmt.Sprintf("@live returns one object or a connection, but the field is a %s", f.Type), fix)
	}
}

// checkLiveParent finds what live data needs of a field's parent, but does not have, because it does not read it: only
// the parent's global id is known, by an argument.
func (r *checker) checkLiveParent(rd *read) {
	if rd.parent == nil || rd.parent.broken {
		return
	}
	parent := article(rd.Parent)
	if rd.parent.def.Fields.ForName("id") == nil {
		r.findLive(rd, fmt.Sprintf("live data begins with the id of %s, but the type has no field id", parent),
			"add id: ID! to type "+rd.Parent)
	}
	if what := r.unknownToLive(rd); what != "" {
		r.findLive(rd, what+", which is all that live data knows of it",
			fmt.Sprintf("remove @live from field %s, or write it on a field of %s that reads the same by its arguments",
				rd.Coordinate(), r.queryName()))
	}
	if id := keys.LiveParent(rd.Parent); rd.def.Arguments.ForName(id) != nil {
		isTaken := func(name string) bool {
			return rd.def.Arguments.ForName(name) != nil || rd.parent.Attribute(name) != nil
		}
		r.findLive(rd,
			fmt.Sprintf("in live data, %s is the id of %s, but the field has an argument of that name", id, parent),
			fmt.Sprintf("rename %s to %s in field %s", id, unreserved("other"+upperFirst(id), isTaken), rd.Coordinate()))
	}
}

// unknownToLive returns what of the read does not follow from the parent's id: a variable, or the owner whom a rule
// allows. It is "" if all does.
func (r *checker) unknownToLive(rd *read) string {
	isKnown := func(name string) bool {
		return slices.Contains(rd.parent.Identity, name) || rd.def.Arguments.ForName(name) != nil
	}
	of := " does not follow from the id of " + article(rd.Parent)
	for _, name := range rd.variables() {
		if rd.parent.Attribute(name) != nil && !isKnown(name) {
			return "{" + name + "}" + of
		}
	}
	if rule := rd.parent.Rule; rule != nil && rule.Owner != "" && !slices.Contains(rd.parent.Identity, rule.Owner) {
		return "@allow of type " + rd.Parent + " allows the owner, but " + rule.Owner + of
	}
	if rule := r.fieldRule(rd); rule != nil && rule.Owner != "" && !isKnown(rule.Owner) {
		return "@allow of the field allows the owner, but " + rule.Owner + of
	}
	return ""
}

var graphqlName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$|^_[A-Za-z0-9][A-Za-z0-9_]*$`)

// checkLiveNames finds fields of Subscription with the same name, and with names that no field can have.
func (r *checker) checkLiveNames(live []*read) {
	first := map[string]*read{}
	for _, rd := range live {
		if first[rd.LiveAs] == nil {
			first[rd.LiveAs] = rd
		}
	}
	for _, rd := range live {
		switch other := first[rd.LiveAs]; {
		case !graphqlName.MatchString(rd.LiveAs):
			r.findLive(rd, fmt.Sprintf("%q cannot be the name of a field", rd.LiveAs),
				fmt.Sprintf("write name: %q", liveName(rd, first)))
		case other != rd:
			r.findLive(rd,
				fmt.Sprintf("the live data of %s is %s.%s, too", other.Coordinate(), keys.Subscription, rd.LiveAs),
				fmt.Sprintf("write name: %q", liveName(rd, first)))
		}
	}
}

// liveName returns a name for a field of Subscription that is not taken: from then on it is.
func liveName(rd *read, taken map[string]*read) string {
	name := rd.Name
	if rd.parent != nil {
		name = lowerFirst(rd.Parent) + upperFirst(rd.Name)
	}
	name = unreserved(name, func(other string) bool { return taken[other] != nil })
	taken[name] = rd
	return name
}

// checkLiveTypes finds types with the names of those that @live adds, and a root of subscriptions, which nothing else
// can add: no Go code is executed for a subscription.
func (r *checker) checkLiveTypes(live []*read) {
	root := r.schema.Subscription
	if root == nil && len(live) > 0 {
		root = r.schema.Types[keys.Subscription]
	}
	if root != nil {
		fix := fmt.Sprintf("remove type %s, which is built in: write @live on the fields that it is to have", root.Name)
		if r.types[root.Name] != nil {
			fix = r.renameType(root.Name)
		}
		r.find(root.Position, root.Name, root.Name+" is the root of subscriptions, whose fields are those with @live", fix)
	}
	seen := map[string]bool{}
	for _, rd := range live {
		if rd.connection == nil {
			continue
		}
		for _, name := range [...]string{keys.LiveEvent(rd.connection.Name), keys.LiveChange} {
			if def := r.schema.Types[name]; def != nil && !seen[name] {
				seen[name] = true
				r.find(def.Position, name, fmt.Sprintf("%s is built in, because %s is live", name, rd.Coordinate()),
					r.renameType(name))
			}
		}
	}
}

// renameType returns the fix that gives a type another name.
func (r *checker) renameType(name string) string {
	return fmt.Sprintf("rename %s to %s in all files", name,
		unreserved("Own"+name, func(other string) bool { return r.schema.Types[other] != nil }))
}
