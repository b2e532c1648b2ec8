package fixes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// OwnSortKeys returns the fix for two stored keys whose sort keys begin alike. In an existing table both stay as they
// are, and one of them cannot be served.
func OwnSortKeys(r *reading.Design, f, first *reading.Key) string {
	if r.Layout != nil && f.Directive != nil {
		return NotServed(r, f)
	}
	fix := fmt.Sprintf("write sk: %q, so that it begins with a literal of its own", movedSortKey(f))
	if first.SK.Leading() != "" || f.SK.Leading() == "" && !reading.SameShape(f, first) || first.Directive == nil {
		return fix
	}
	// Whatever the other begins with, "" is before it.
	return fix + fmt.Sprintf("\non type %s replace %s\nwith %s",
		first.Of.Name, first.Source(), sdl.WithSortKey(first.Directive, movedSortKey(first)))
}

// NotServed returns the fix that leaves out a stored key, and the fields that read it alone.
func NotServed(r *reading.Design, f *reading.Key) string {
	var lines []string
	for _, d := range f.Of.Def.Directives {
		isPart := d.Name == "copy" || d.Name == "index" || d.Name == "mutable"
		if d == f.Directive || f.Directive.Name == "item" && isPart {
			lines = append(lines, fmt.Sprintf("remove %s from type %s", sdl.DirectiveText(d), f.Of.Name))
		}
	}
	for _, rd := range r.Reads {
		if rd.Directive != nil && rd.IsMatch(f) && len(rd.Matches) == 1 {
			lines = append(lines, fmt.Sprintf("remove %s from type %s", rd.Name, rd.Parent))
		}
	}
	return strings.Join(lines, "\n")
}

// InNoUnion returns the lines of a fix that leave a type out of the unions that have others, too. Each begins a line.
func InNoUnion(r *reading.Design, of string) string {
	lines := ""
	for _, name := range slices.Sorted(maps.Keys(r.Schema.Types)) {
		def := r.Schema.Types[name]
		if def.Kind == ast.Union && len(def.Types) > 1 && slices.Contains(def.Types, of) {
			lines += fmt.Sprintf("\nremove %s from union %s", of, name)
		}
	}
	return lines
}

// movedSortKey returns ownSortKey, or another one if the stored key has that already.
func movedSortKey(f *reading.Key) string {
	own := ownSortKey(f)
	if own == f.SK.String() {
		own = sdl.Joined(sdl.ConstantCase(f.Of.Name)+"_OF", own, f.SK.Delimiter())
	}
	return own
}

// ownSortKey returns the sort key with the type's name in front of its variables.
func ownSortKey(f *reading.Key) string {
	text := sdl.ConstantCase(f.Of.Name)
	for _, s := range f.SK.Segments() {
		if s.Variable != "" {
			s.Literal = ""
			text = sdl.Joined(text, s.String(), f.SK.Delimiter())
		}
	}
	return text
}

// Identified returns the fix that gives the key of a type without variables the id of its objects.
func Identified(r *reading.Design, t *reading.Type) string {
	d := t.Def.Directives.ForName("item")
	with := sdl.WithSortKey(d, r.Join(sdl.Text(d, "sk"), "{id}"))
	return fmt.Sprintf("on type %s replace %s\nwith %s", t.Name, sdl.DirectiveText(d), with)
}

// WriteIndexes returns the fix that replaces the n-th of the indexes of @table, or removes it for "".
func WriteIndexes(r *reading.Design, n int, text string) string {
	value := r.LayoutDirective.Arguments.ForName("indexes").Value
	indexes := []string{value.String()}
	if value.Kind == ast.ListValue {
		indexes = nil
		for _, child := range value.Children {
			indexes = append(indexes, child.Value.String())
		}
	}
	if indexes[n] = text; text == "" {
		indexes = slices.Delete(indexes, n, n+1)
	}
	return "write indexes: [" + strings.Join(indexes, ", ") + "]"
}

// IndexNames returns the index with a name and a partition key.
func IndexNames(ix stored.IndexLayout) string {
	name := cmp.Or(ix.Name, "GSI1")
	if len(ix.PK) == 0 {
		ix.PK = keys.Named(keys.IndexPK(name))
	}
	if len(ix.SK) == 0 {
		ix.SK = keys.Named(keys.IndexSK(name))
	}
	return IndexText(stored.IndexLayout{Name: name, PK: ix.PK, SK: ix.SK})
}

// IndexText returns one of the indexes of @table as it is written in a schema.
func IndexText(ix stored.IndexLayout) string {
	text := fmt.Sprintf("{name: %q, pk: %s", ix.Name, attributesText(ix.PK))
	if len(ix.SK) > 0 {
		text += ", sk: " + attributesText(ix.SK)
	}
	if ix.Local {
		text += ", local: true"
	}
	if ix.Projection != stored.All {
		text += ", projection: " + ix.Projection.String()
	}
	if ix.Projection == stored.Include {
		text += `, include: ["` + strings.Join(ix.Include, `", "`) + `"]`
	}
	return text + "}"
}

// attributesText returns the attributes of a key as they are written in a schema.
func attributesText(k keys.KeyAttributes) string {
	if len(k) == 1 {
		return sdl.Quote(k[0].Name)
	}
	return `["` + strings.Join(k.Names(), `", "`) + `"]`
}

// WithProjection returns the index with a projection that its attributes fit to.
func WithProjection(ix stored.IndexLayout) string {
	if ix.Projection = stored.Include; len(ix.Include) == 0 {
		ix.Projection = stored.KeysOnly
	}
	return IndexText(ix)
}

func adopt(read, stored keys.Template, prefix bool) (string, bool) {
	from, to := read.Segments(), stored.Segments()
	if len(from) > len(to) || len(from) < len(to) && !prefix {
		return "", false
	}
	adopted := make([]keys.Segment, len(from))
	for i, s := range from {
		open := prefix && i == len(from)-1 && s.Variable == "" && strings.HasPrefix(to[i].Literal, s.Literal)
		if !open &&
			(s.Literal != to[i].Literal || s.Glued != to[i].Glued || (s.Variable == "") != (to[i].Variable == "")) {
			return "", false
		}
		if s.Variable != "" {
			s.Width, s.Bucket, s.Case = to[i].Width, to[i].Bucket, to[i].Case
		}
		adopted[i] = s
	}
	return keys.Join(adopted, read.Delimiter()), true
}

// ShardedSortKeyFix returns the sort key that identifies the object, or "" if that of the entry does.
func ShardedSortKeyFix(f *reading.Key) string {
	if len(f.Of.Unidentified(f.Shape)) == 0 {
		return ""
	}
	return fmt.Sprintf("sk: %q", f.Of.Identifying(f.Shape))
}

// ShardCount returns a number of shards in words.
func ShardCount(n int) string {
	if n == 1 {
		return "1 shard"
	}
	return fmt.Sprintf("%d shards", n)
}
