package importer_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/importer"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// TestRenamedDesigns imports the public designs with other names of attributes, indexes, literals and types: what is
// proposed has the same keys and reads under the other names, and as many items have a type. The keys of some libraries
// have the names of attributes or types in them, so that nobody can rename those.
func TestRenamedDesigns(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(designs, "*", "design.txt"))
	if err != nil || len(paths) < 10 {
		t.Fatal("there are not ten designs", paths, err)
	}
	for _, path := range paths {
		d := readDesign(t, filepath.Dir(path))
		if regexp.MustCompile(`electrodb|onetable|typedorm`).MatchString(d.dir) {
			continue
		}
		for seed := range soak.Seeds(2) {
			t.Run(fmt.Sprint(filepath.Base(d.dir), seed), func(t *testing.T) {
				t.Parallel()
				options, data := d.options(t), filepath.Join(d.dir, "data.jsonl")
				before := importFile(t, data, options)
				r := newDesignRenamer(seed, options, before.Schema)
				after, err := importer.Import(all(r.items(itemsOf(t, data))), r.options())
				fatal.If(t, err)
				want, got := r.signature(t, before.Schema, true), r.signature(t, after.Schema, false)
				if !slices.Equal(want, got) || before.Report.Classified() != after.Report.Classified() {
					t.Errorf("placed %.3f, before %.3f\nlacks %q\nhas %q\n%s\n%s", after.Report.Classified(),
						before.Report.Classified(), without(want, got), without(got, want), before.Schema, after.Schema)
				}
			})
		}
	}
}

// without returns the texts that are not among the others.
func without(texts, others []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return slices.Contains(others, text) })
}

// designRenamer renames the words of a design. What shows a meaning remains: the case of a literal, and the end of a
// name, such as that of an id, a time or the key of an index.
type designRenamer struct {
	*rand.Rand
	before importer.Options
	// typ is the attribute with the type, "" for none.
	typ string
	// attributes, indexes, literals and types are the new words.
	attributes, indexes, literals, types map[string]string
	used                                 map[string]bool
}

var (
	// typeConstant matches the type attribute as a constant of a type.
	typeConstant = regexp.MustCompile(`constants: \[\{name: "([^"]*)"`)
	// meaning matches the end of a name that shows what its values are.
	meaning = regexp.MustCompile(`(?i:[-_]?(pk|sk)\d*|ids?|at|on|date|time|timestamp|ttl)$`)
	// aboutPartition matches the literals of an item that describes its partition.
	aboutPartition = regexp.MustCompile(`(?i)^meta(data)?$`)
)

func newDesignRenamer(seed uint64, before importer.Options, schema string) *designRenamer {
	r := &designRenamer{
		Rand: rand.New(rand.NewPCG(seed, 2)), before: before,
		attributes: map[string]string{}, indexes: map[string]string{}, literals: map[string]string{},
		types: map[string]string{}, used: map[string]bool{},
	}
	for _, kind := range []*regexp.Regexp{typeConstant, tableType} {
		if m := kind.FindStringSubmatch(schema); m != nil {
			r.typ = m[1]
		}
	}
	for _, m := range template.FindAllStringSubmatch(schema, -1) {
		for part := range strings.SplitSeq(m[1], delimiterOf(schema)) {
			if !strings.Contains(part, "{") && !aboutPartition.MatchString(part) {
				r.literals[part] = r.word(part)
			}
		}
	}
	for _, ix := range before.Indexes {
		r.indexes[ix.Name] = r.word(ix.Name)
	}
	r.attributes[r.typ], r.attributes[""] = "kind", ""
	return r
}

func delimiterOf(schema string) string {
	if m := delimited.FindStringSubmatch(schema); m != nil {
		return m[1]
	}
	return keys.Delimiter
}

// word returns a word with other letters, each in the same case, that was not used before.
func (r *designRenamer) word(old string) string {
	for {
		word := strings.Map(func(c rune) rune {
			switch {
			case c >= 'a' && c <= 'z':
				return 'a' + rune(r.IntN(26))
			case c >= 'A' && c <= 'Z':
				return 'A' + rune(r.IntN(26))
			}
			return c
		}, old)
		if !r.used[strings.ToLower(word)] || word == old {
			r.used[strings.ToLower(word)] = true
			return word
		}
	}
}

// attribute returns the new name of an attribute, with the same end if that has a meaning.
func (r *designRenamer) attribute(old string) string {
	if r.attributes[old] == "" && old != "" {
		end := meaning.FindString(old)
		r.attributes[old] = r.word(old[:len(old)-len(end)]) + end
	}
	return r.attributes[old]
}

// options returns the description of the renamed table.
func (r *designRenamer) options() importer.Options {
	rename := func(k keys.KeyAttributes) keys.KeyAttributes {
		var names []string
		for _, a := range k {
			names = append(names, r.attribute(a.Name))
		}
		return keys.Named(names...)
	}
	o := importer.Options{Described: true, PK: r.attribute(r.before.PK), SK: r.attribute(r.before.SK)}
	for _, ix := range r.before.Indexes {
		o.Indexes = append(o.Indexes, stored.IndexLayout{
			Name: r.indexes[ix.Name], PK: rename(ix.PK), SK: rename(ix.SK), Local: ix.Local, Projection: ix.Projection,
			Include: rename(keys.Named(ix.Include...)).Names(),
		})
	}
	return o
}

// items returns the renamed items. What is inside of a map remains.
func (r *designRenamer) items(items []item.Item) []item.Item {
	out := make([]item.Item, len(items))
	for i, it := range items {
		for _, a := range it {
			v := a.Value
			switch {
			case a.Name == r.typ:
				if r.types[v.Text] == "" {
					r.types[v.Text] = r.word(v.Text)
				}
				v = item.StringValue(r.types[v.Text])
			case v.Kind == item.String && isKeyOf(r.before, a.Name):
				v = item.StringValue(r.key(v.Text))
			}
			out[i] = append(out[i], item.Attribute{Name: r.attribute(a.Name), Value: v})
		}
	}
	return out
}

func (r *designRenamer) key(text string) string {
	for _, d := range []string{"#", ":"} {
		parts := strings.Split(text, d)
		for i, part := range parts {
			if other := r.literals[part]; other != "" {
				parts[i] = other
			}
		}
		text = strings.Join(parts, d)
	}
	return text
}

// signature returns the keys and the reads of a schema without the names of types, fields and variables, sorted; those
// of the schema before with the new words.
func (r *designRenamer) signature(t *testing.T, text string, isBefore bool) []string {
	t.Helper()
	parsed, err := directives.Load(&ast.Source{Name: "schema.graphqls", Input: text})
	fatal.If(t, err)
	schema, err := directives.Read(parsed)
	if findings, is := errors.AsType[directives.Findings](err); err != nil && !is {
		t.Fatal(findings, err)
	}
	word := func(words map[string]string, old string) string {
		if isBefore && words[old] != "" {
			return words[old]
		}
		return old
	}
	form := func(template keys.Template) string {
		var b strings.Builder
		for _, s := range template.Segments() {
			fmt.Fprintf(&b, "#%s", word(r.literals, s.Literal))
			if s.Variable != "" {
				fmt.Fprintf(&b, "{%d %v %v}", s.Width, s.Bucket, s.Case)
			}
		}
		return b.String()
	}
	var lines []string
	for _, typ := range schema.Types {
		// Of an edge that is stored in both directions, each can be the copy.
		lines = append(lines, fmt.Sprintf("stored %s %s", form(typ.Item.PK), form(typ.Item.SK)))
		for _, c := range typ.Copies {
			lines = append(lines, fmt.Sprintf("stored %s %s", form(c.PK), form(c.SK)))
		}
		for _, ix := range typ.Indexes {
			lines = append(lines, fmt.Sprintf("entry %s %s %s", word(r.indexes, ix.Name), form(ix.PK), form(ix.SK)))
		}
	}
	for _, f := range schema.Fields {
		if f.Parent == "Query" && f.Kind == design.Get {
			continue // The item of each type.
		}
		lines = append(lines, fmt.Sprintf("read %v %v %s %s %s, %d types, %d arguments", f.Parent == "Query", f.Kind,
			word(r.indexes, f.Index), form(f.PK), form(f.SK), len(f.Types), len(f.Arguments)))
	}
	slices.Sort(lines)
	return lines
}
