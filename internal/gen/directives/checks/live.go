package checks

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
)

// checkLive finds fields with @live whose changes the stream does not show, and names that clash.
func checkLive(r *checker) {
	for _, name := range slices.Sorted(maps.Keys(r.Schema.Types)) {
		def := r.Schema.Types[name]
		for _, f := range def.Fields {
			if d := f.Directives.ForName("live"); d != nil && def != r.Schema.Subscription {
				checkLivePlace(r, def, f, d)
			}
		}
	}
	live := liveReads(r)
	for _, rd := range live {
		checkLiveParent(r, rd)
	}
	checkLiveNames(r, live)
	checkLiveTypes(r, live)
}

// liveReads returns the reads that get a field of Subscription, those of the root of queries first.
func liveReads(r *checker) []*reading.Read {
	var root, others []*reading.Read
	for _, rd := range r.Reads {
		switch {
		case rd.LiveAs == "" || r.Edges[rd.Parent] != nil || rd.Result == design.Many:
		case rd.ParentType == nil:
			root = append(root, rd)
		default:
			others = append(others, rd)
		}
	}
	return append(root, others...)
}

// findLive adds a finding for the @live of a read.
func findLive(r *checker, rd *reading.Read, what, fix string) {
	r.find(rd.Def.Directives.ForName("live").Position, rd.Coordinate(), what, fix)
}

// checkLivePlace finds @live on a field that no key condition serves, or that returns neither an object nor a
// connection.
func checkLivePlace(r *checker, def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) {
	coordinate := def.Name + "." + f.Name
	remove := "remove @live from field " + coordinate
	find := func(what, fix string) { r.find(d.Position, coordinate, what, fix) }
	switch {
	case def.Kind == ast.Interface:
		find("@live on the field of an interface: each object type has keys of its own",
			remove+", and write it on "+f.Name+" of each type that implements "+def.Name)
	case def == r.Schema.Query && r.IsNodeField(f):
		find("@live on "+f.Name+": its objects can be of any type", remove+", and write it on a field with @get")
	case sdl.ReadDirective(f) == nil:
		find("@live without @get or @query: only a key condition shows which changes concern a field",
			remove+", or add @get or @query")
	case r.Edges[def.Name] != nil:
		find("@live on an edge's node: live data begins with an object that has an id",
			remove+", and write it on the field that returns the connection")
	case f.Type.Elem != nil:
		fix := remove
		if element := f.Type.Name(); f.Type.Elem.Elem == nil && r.Connections[element] == nil {
			fix = "return " + element + sdl.ConnectionSuffix + ", or " + remove
		}
		find(fmt.Sprintf("@live returns one object or a connection, but the field is a %s", f.Type), fix)
	}
}

// checkLiveParent finds what live data needs of a field's parent, but does not have, because it does not read it: only
// the parent's global id is known, by an argument.
func checkLiveParent(r *checker, rd *reading.Read) {
	if rd.ParentType == nil || rd.ParentType.Broken {
		return
	}
	parent := sdl.Article(rd.Parent)
	if rd.ParentType.Def.Fields.ForName("id") == nil {
		findLive(r, rd, fmt.Sprintf("live data begins with the id of %s, but the type has no field id", parent),
			"add id: ID! to type "+rd.Parent)
	}
	if what := unknownToLive(r, rd); what != "" {
		findLive(r, rd, what+", which is all that live data knows of it",
			fmt.Sprintf("remove @live from field %s, or write it on a field of %s that reads the same by its arguments",
				rd.Coordinate(), r.QueryName()))
	}
	if id := design.LiveParent(rd.Parent); rd.Def.Arguments.ForName(id) != nil {
		isTaken := func(name string) bool {
			return rd.Def.Arguments.ForName(name) != nil || rd.ParentType.Attribute(name) != nil
		}
		findLive(r, rd,
			fmt.Sprintf("in live data, %s is the id of %s, but the field has an argument of that name", id, parent),
			fmt.Sprintf("rename %s to %s in field %s", id, sdl.Unreserved("other"+sdl.UpperFirst(id), isTaken), rd.Coordinate()))
	}
}

// unknownToLive returns what of the read does not follow from the parent's id: a variable, or the owner whom a rule
// allows. It is "" if all does.
func unknownToLive(r *checker, rd *reading.Read) string {
	isKnown := func(name string) bool {
		return slices.Contains(rd.ParentType.Identity, name) || rd.Def.Arguments.ForName(name) != nil
	}
	of := " does not follow from the id of " + sdl.Article(rd.Parent)
	for _, name := range rd.Variables() {
		if rd.ParentType.Attribute(name) != nil && !isKnown(name) {
			return "{" + name + "}" + of
		}
	}
	if rule := rd.ParentType.Rule; rule != nil && rule.Owner != "" && !slices.Contains(rd.ParentType.Identity,
		rule.Owner) {
		return "@allow of type " + rd.Parent + " allows the owner, but " + rule.Owner + of
	}
	if rule := rd.ParentType.Rule; rule != nil && len(rule.Go) > 0 {
		return "@allow of type " + rd.Parent + " asks Go code, but what the code gets" + of
	}
	if rule := fieldRule(r, rd); rule != nil && rule.Owner != "" && !isKnown(rule.Owner) {
		return "@allow of the field allows the owner, but " + rule.Owner + of
	}
	return ""
}

var graphqlName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$|^_[A-Za-z0-9][A-Za-z0-9_]*$`)

// checkLiveNames finds fields of Subscription with the same name, and with names that no field can have.
func checkLiveNames(r *checker, live []*reading.Read) {
	first := map[string]*reading.Read{}
	for _, rd := range live {
		if first[rd.LiveAs] == nil {
			first[rd.LiveAs] = rd
		}
	}
	for _, rd := range live {
		switch other := first[rd.LiveAs]; {
		case !graphqlName.MatchString(rd.LiveAs):
			findLive(r, rd, fmt.Sprintf("%q cannot be the name of a field", rd.LiveAs),
				fmt.Sprintf("write name: %q", liveName(rd, first)))
		case other != rd:
			findLive(r, rd, fmt.Sprintf("the live data of %s is %s.%s, too", other.Coordinate(), design.Subscription, rd.LiveAs),
				fmt.Sprintf("write name: %q", liveName(rd, first)))
		}
	}
}

// liveName returns a name for a field of Subscription that is not taken: from then on it is.
func liveName(rd *reading.Read, taken map[string]*reading.Read) string {
	name := rd.Name
	if rd.ParentType != nil {
		name = sdl.LowerFirst(rd.Parent) + sdl.UpperFirst(rd.Name)
	}
	name = sdl.Unreserved(name, func(other string) bool { return taken[other] != nil })
	taken[name] = rd
	return name
}

// checkLiveTypes finds types with the names of those that @live adds, and a root of subscriptions, which nothing else
// can add: no Go code is executed for a subscription.
func checkLiveTypes(r *checker, live []*reading.Read) {
	root := r.Schema.Subscription
	if root == nil && len(live) > 0 {
		root = r.Schema.Types[design.Subscription]
	}
	if root != nil {
		fix := fmt.Sprintf("remove type %s, which is built in: write @live on the fields that it is to have", root.Name)
		if r.Types[root.Name] != nil {
			fix = renameType(r, root.Name)
		}
		r.find(root.Position, root.Name, root.Name+" is the root of subscriptions, whose fields are those with @live", fix)
	}
	seen := map[string]bool{}
	for _, rd := range live {
		if rd.Connection == nil {
			continue
		}
		for _, name := range [...]string{design.LiveEvent(rd.Connection.Name), design.LiveChange} {
			if def := r.Schema.Types[name]; def != nil && !seen[name] {
				seen[name] = true
				r.find(def.Position, name, fmt.Sprintf("%s is built in, because %s is live", name, rd.Coordinate()),
					renameType(r, name))
			}
		}
	}
}

// renameType returns the fix that gives a type another name.
func renameType(r *checker, name string) string {
	return fmt.Sprintf("rename %s to %s in all files", name,
		sdl.Unreserved("Own"+name, func(other string) bool { return r.Schema.Types[other] != nil }))
}
