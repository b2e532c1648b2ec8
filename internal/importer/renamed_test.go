package importer_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/internal/importer"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// TestRenamed imports the nine tables with other names of attributes, types and literals, with other delimiters and
// formats of times: at least 95 % of the items are in the schema, which answers each object by its key, and each
// collection as the export has it.
func TestRenamed(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(systems, "*", "data.jsonl"))
	if paths = withStringKeys(paths); err != nil || len(paths) != 9 {
		t.Fatal("there are not nine tables", paths, err)
	}
	for _, path := range paths {
		for seed := range soak.Seeds(2) {
			system := filepath.Base(filepath.Dir(path))
			t.Run(fmt.Sprint(system, seed), func(t *testing.T) {
				t.Parallel()
				r := newRenamer(t, system, seed)
				items := r.items(itemsOf(t, path))
				var result *importer.Result
				for _, options := range []importer.Options{{}, r.options} {
					var err error
					if result, err = importer.Import(all(items), options); err != nil {
						t.Fatal(err)
					}
					if result.Report.Classified() < 0.95 {
						t.Error(result.Report, result.Schema)
					}
				}
				s := serve(t, items, result.Schema)
				s.checkCollections(t)
				if n := s.checkObjects(t); n*100 < len(items)*95 {
					t.Errorf("%d of %d items have a type", n, len(items))
				}
				if t.Failed() {
					t.Log(result.Schema)
				}
			})
		}
	}
}

// all returns items as Import reads them.
func all(items []item.Item) func(func(item.Item, error) bool) {
	return func(yield func(item.Item, error) bool) {
		for _, it := range items {
			if !yield(it, nil) {
				return
			}
		}
	}
}

// renamer renames everything in a table that another program could have named otherwise.
type renamer struct {
	*rand.Rand
	// options are those of the renamed table, and before those of the original one.
	options, before importer.Options
	typ, delimiter  string
	// to is the delimiter of the renamed table.
	to    string
	names map[string]string
	// types are the values of the type attribute, and literals those parts of keys that are no values.
	types, literals map[string]string
	// times are the formats of the attributes that are times.
	times map[string]string
	used  map[string]bool
}

var (
	template  = regexp.MustCompile(`(?:pk|sk): "([^"]*)"`)
	tableType = regexp.MustCompile(`(?m)^\s*type: "([^"]*)"`)
	delimited = regexp.MustCompile(`delimiter: "([^"]*)"`)
)

func newRenamer(t *testing.T, system string, seed uint64) *renamer {
	t.Helper()
	text := readFile(t, filepath.Join(systems, system, "schema.graphqls"))
	_, described, _ := strings.Cut(readFile(t, filepath.Join("testdata/systems", system+".txt")), "import\n")
	described, _, _ = strings.Cut(described, "----")
	before, err := importer.ReadDescription(strings.NewReader(described))
	fatal.If(t, err)
	r := &renamer{
		Rand: rand.New(rand.NewPCG(seed, 1)), before: before, delimiter: delimiterOf(text),
		names: map[string]string{}, types: map[string]string{}, literals: map[string]string{},
		times: map[string]string{}, used: map[string]bool{},
	}
	if m := tableType.FindStringSubmatch(text); m != nil {
		r.typ = m[1]
	}
	style := r.IntN(3)
	for _, m := range template.FindAllStringSubmatch(text, -1) {
		for part := range strings.SplitSeq(m[1], r.delimiter) {
			if part == "" || strings.Contains(part, "{") || r.literals[part] != "" {
				continue
			}
			r.literals[part] = [...]func(string) string{strings.ToUpper, strings.ToLower, sdl.UpperFirst}[style](r.word())
		}
	}
	return r
}

// word returns a word that was not used before.
func (r *renamer) word() string {
	for {
		var b strings.Builder
		for range 2 + r.IntN(3) {
			b.WriteString(string("bdfgklmnprstvz"[r.IntN(14)]) + string("aeiou"[r.IntN(5)]))
		}
		if w := b.String(); !r.used[w] {
			r.used[w] = true
			return w
		}
	}
}

// name returns the new name of an attribute.
func (r *renamer) name(old string) string {
	if r.names[old] == "" {
		switch r.IntN(4) {
		case 0:
			r.names[old] = r.word() + "_" + r.word()
		case 1:
			r.names[old] = r.word() + sdl.UpperFirst(r.word())
		case 2:
			r.names[old] = sdl.UpperFirst(r.word())
		default:
			r.names[old] = strings.ToUpper(r.word())
		}
	}
	return r.names[old]
}

// items returns the renamed items, and sets the options.
func (r *renamer) items(items []item.Item) []item.Item {
	r.to = r.newDelimiter(items)
	out := r.renamed(items)
	if !areUnique(out, r.name(r.before.PK), r.name(r.before.SK)) {
		clear(r.times) // Another format has cut times to seconds.
		for _, it := range items {
			for _, a := range it {
				r.times[a.Name] = ""
			}
		}
		out = r.renamed(items)
	}
	r.options = importer.Options{Described: true, PK: r.name(r.before.PK), SK: r.name(r.before.SK)}
	for _, ix := range r.before.Indexes {
		ix.PK = keys.Named(r.name(ix.PK.String()))
		if len(ix.SK) > 0 {
			ix.SK = keys.Named(r.name(ix.SK.String()))
		}
		r.options.Indexes = append(r.options.Indexes, ix)
	}
	return out
}

func areUnique(items []item.Item, pk, sk string) bool {
	seen := map[[2]string]bool{}
	for _, it := range items {
		seen[[2]string{it.Text(pk), it.Text(sk)}] = true
	}
	return len(seen) == len(items)
}

// newDelimiter returns a delimiter that no value has.
func (r *renamer) newDelimiter(items []item.Item) string {
	candidates := slices.DeleteFunc([]string{"#", "|", "/", "~", "::"}, func(d string) bool {
		return slices.ContainsFunc(items, func(it item.Item) bool {
			return slices.ContainsFunc(it, func(a item.Attribute) bool {
				return !r.isKey(a.Name) && a.Name != r.typ && strings.Contains(a.Value.Text, d)
			})
		})
	})
	if len(candidates) == 0 {
		return r.delimiter
	}
	return candidates[r.IntN(len(candidates))]
}

// isKey reports whether an attribute is a key of the table or of an index.
func (r *renamer) isKey(name string) bool { return isKeyOf(r.before, name) }

func isKeyOf(o importer.Options, name string) bool {
	return name == o.PK || name == o.SK || slices.ContainsFunc(o.Indexes, func(ix stored.IndexLayout) bool {
		return ix.PK.Has(name) || ix.SK.Has(name)
	})
}

func (r *renamer) renamed(items []item.Item) []item.Item {
	out := make([]item.Item, len(items))
	for i, it := range items {
		texts := map[string]string{} // the new texts of times
		for _, a := range it {
			if text := r.time(a, items); text.Text != a.Value.Text {
				texts[a.Value.Text] = text.Text
			}
		}
		for _, a := range it {
			v := r.time(a, items)
			switch {
			case a.Name == r.typ:
				if r.types[v.Text] == "" {
					r.types[v.Text] = r.word()
				}
				v = item.StringValue(r.types[v.Text])
			case v.Kind == item.String && r.isKey(a.Name):
				v = item.StringValue(r.key(a.Value.Text, it, texts))
			}
			out[i] = append(out[i], item.Attribute{Name: r.name(a.Name), Value: v})
		}
	}
	return out
}

// key returns the new text of a key. A value of the item that contains the delimiter remains.
func (r *renamer) key(text string, it item.Item, times map[string]string) string {
	const hole = "\x00"
	for _, a := range it {
		if !r.isKey(a.Name) && strings.Contains(a.Value.Text, r.delimiter) && strings.Contains(text, a.Value.Text) {
			return strings.ReplaceAll(r.key(strings.ReplaceAll(text, a.Value.Text, hole), nil, times), hole,
				a.Value.Text)
		}
	}
	parts := strings.Split(text, r.delimiter)
	for i, part := range parts {
		switch {
		case r.literals[part] != "":
			parts[i] = r.literals[part]
		case times[part] != "":
			parts[i] = times[part]
		}
	}
	return strings.Join(parts, r.to)
}

// time returns the value of an attribute, in another format if its texts are times.
func (r *renamer) time(a item.Attribute, items []item.Item) item.Value {
	if a.Value.Kind != item.String || a.Name == r.before.PK || a.Name == r.before.SK {
		return a.Value
	}
	at, err := time.Parse(time.RFC3339, a.Value.Text)
	if err != nil {
		return a.Value
	}
	format, known := r.times[a.Name]
	if !known {
		format = []string{"", item.TimeLayout, "2006-01-02T15:04:05Z", "2006-01-02T15:04:05", "s", "ms"}[r.IntN(6)]
		r.times[a.Name] = format
	}
	switch format {
	case "":
		return a.Value
	case "s":
		return item.Value{Kind: item.Number, Text: strconv.FormatInt(at.Unix(), 10)}
	case "ms":
		return item.Value{Kind: item.Number, Text: strconv.FormatInt(at.UnixMilli(), 10)}
	}
	return item.StringValue(at.UTC().Format(format))
}
