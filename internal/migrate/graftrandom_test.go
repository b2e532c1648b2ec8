package migrate_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// TestGraftSelectsTheSame: a field that is served over what another version stores selects the same objects as over
// what the API itself would store. The versions are those of the examples, with random changes of their keys.
func TestGraftSelectsTheSame(t *testing.T) {
	random := rand.New(rand.NewPCG(20261126, 26))
	served, refused, former := 0, 0, 0
	for _, sdl := range exampleSchemas(t) {
		for range soak.Times(25) {
			from, to := changed(random, sdl), changed(random, sdl)
			if from == nil || to == nil {
				continue
			}
			own, notReady, err := migrate.Graft(*to, *from, migrate.GraftOptions{})
			fatal.If(t, err)
			objects := randomObjects(random, own)
			for _, f := range to.Fields {
				of := own.Field(f.Parent, f.Name)
				if of == nil {
					if notReady[f.Coordinate()] == "" {
						t.Errorf("%s is neither served nor not ready", f.Coordinate())
					}
					refused++
					continue
				}
				if condition(f) != condition(of) {
					former++
				}
				if f.Kind.IsByID() || f.Bucketed() != "" || of.Bucketed() != "" {
					continue
				}
				for range 4 {
					values := valuesFor(random, to.Design, f, objects)
					want, wantErr := selectedBy(to.Design, f, values, objects)
					got, gotErr := selectedBy(own, of, values, objects)
					if served++; wantErr == nil && gotErr == nil && !slices.Equal(got, want) {
						t.Errorf("%s selects %v by %s, %v by %s\nfrom:\n%s\nto:\n%s", f.Coordinate(), got, condition(of),
							want, condition(f), from.SDL, to.SDL)
						return
					}
				}
			}
		}
	}
	t.Logf("%d conditions were compared, %d fields are not ready, %d have a former condition", served, refused, former)
	if served < 1000 || refused == 0 || former < 100 {
		t.Errorf("%d conditions were compared, %d fields are not ready, %d have a former condition", served, refused, former)
	}
}

// exampleSchemas returns the schemas of the examples, with a line for each field.
func exampleSchemas(t *testing.T) []string {
	t.Helper()
	folders, err := filepath.Glob("../../examples/*/schema*.graphqls")
	if err != nil || len(folders) == 0 {
		t.Fatal("there are no examples", err)
	}
	var all []string
	for _, file := range folders {
		text, err := os.ReadFile(file)
		fatal.If(t, err)
		sdl := continued.ReplaceAllString(description.ReplaceAllString(string(text), ""), " @")
		if _, err := loadVersion(sdl); err != nil {
			t.Fatal(err)
		}
		all = append(all, sdl)
	}
	return all
}

func loadVersion(sdl string) (*migrate.Version, error) {
	loaded, err := directives.Load(&ast.Source{Name: "schema.graphqls", Input: sdl})
	if err != nil {
		return nil, err
	}
	schema, err := directives.Read(loaded)
	if err != nil {
		return nil, err
	}
	v := migrate.NewVersion(schema)
	return &v, nil
}

var (
	keyText     = regexp.MustCompile(`\b(pk|sk): "[^"]*"`)
	literal     = regexp.MustCompile(`[A-Z][A-Z_]+`)
	entryLine   = regexp.MustCompile(` @(index|copy)\([^)\n]*\)`)
	continued   = regexp.MustCompile(`\n\s+@`)
	description = regexp.MustCompile(`(?s)"""[^"].*?"""|\n *"[^"\n]*"\n`)
)

// changed returns a version with random changes: literals of keys have other names, and entries, copies and fields are
// gone. It is nil if the changes make no good schema.
func changed(random *rand.Rand, sdl string) *migrate.Version {
	renamed := map[string]string{}
	sdl = keyText.ReplaceAllStringFunc(sdl, func(key string) string {
		return literal.ReplaceAllStringFunc(key, func(text string) string {
			if _, known := renamed[text]; !known {
				if renamed[text] = text; random.IntN(4) == 0 {
					renamed[text] = text + "X"
				}
			}
			return renamed[text]
		})
	})
	if random.IntN(2) == 0 {
		all := entryLine.FindAllStringIndex(sdl, -1)
		if len(all) > 0 {
			gone := all[random.IntN(len(all))]
			sdl = sdl[:gone[0]] + sdl[gone[1]:]
		}
	}
	if lines := strings.Split(sdl, "\n"); random.IntN(2) == 0 {
		if at := random.IntN(len(lines)); strings.HasPrefix(lines[at], "  ") {
			sdl = strings.Join(slices.Delete(lines, at, at+1), "\n")
		}
	}
	for range 12 {
		v, err := loadVersion(sdl)
		if err == nil {
			return v
		}
		if sdl = withoutFaulty(sdl, err); sdl == "" {
			return nil
		}
	}
	return nil
}

// withoutFaulty returns a schema without the lines of its findings, if these are fields.
func withoutFaulty(sdl string, err error) string {
	findings, is := err.(directives.Findings) //nolint:errorlint // nothing wraps them
	if !is {
		return ""
	}
	lines := strings.Split(sdl, "\n")
	gone := map[int]bool{}
	for _, f := range findings {
		if f.Line < 1 || f.Line > len(lines) || !strings.HasPrefix(lines[f.Line-1], "  ") || gone[f.Line] {
			return ""
		}
		gone[f.Line] = true
	}
	kept := lines[:0]
	for i, line := range lines {
		if !gone[i+1] {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// randomObjects returns objects of each type, with all attributes that it has in the graft.
func randomObjects(random *rand.Rand, d *design.Design) []item.Item {
	var all []item.Item
	for _, t := range d.Types {
		for range 6 {
			it := item.Item{{Name: item.EntityType, Value: item.StringValue(t.Name)}}
			for i := range t.Attributes {
				a := &t.Attributes[i]
				if a.NonNull || a.InKeys || random.IntN(4) > 0 {
					it = append(it, item.Attribute{Name: a.Name, Value: randomValue(random, a)})
				}
			}
			all = append(all, it)
		}
	}
	return all
}

func randomValue(random *rand.Rand, a *design.Attribute) item.Value {
	n := random.IntN(3)
	switch a.Kind {
	case keys.Int, keys.Int64, keys.Float:
		return item.NumberValue(n)
	case keys.Boolean:
		return item.BoolValue(n > 0)
	case keys.Time:
		return item.StringValue(fmt.Sprintf("2026-01-0%dT10:30:00.000Z", n+1))
	case keys.Date:
		return item.StringValue(fmt.Sprintf("2026-01-0%d", n+1))
	default:
		return item.StringValue(fmt.Sprintf("v%d", n))
	}
}

// valuesFor returns values of all variables of a field: those of an object that has it, and of one that it returns.
func valuesFor(random *rand.Rand, d *design.Design, f *design.Field, objects []item.Item) func(string) keys.Value {
	of := func(name string) item.Item {
		start := random.IntN(len(objects))
		for i := range objects {
			if it := objects[(start+i)%len(objects)]; it.Type() == name {
				return it
			}
		}
		return nil
	}
	var parent item.Item
	if t := d.EdgeItem(f.Parent); t != nil {
		parent = of(t.Name)
	} else {
		parent = of(f.Parent)
	}
	m := f.Matches()[random.IntN(len(f.Matches()))]
	it := of(m.Type.Name)
	given := map[string]keys.Value{}
	for shape, variable := range m.Variables {
		given[variable] = keys.AttributeValue(it, shape)
	}
	return func(name string) keys.Value {
		a := f.Argument(name)
		switch {
		case a == nil && parent != nil:
			return keys.AttributeValue(parent, name)
		case a == nil:
			return given[name]
		case a.Range:
			return keys.Value{}
		case a.Kind == keys.IDKind && a.Ref != "":
			return keys.IDValue(keys.NewID(a.Ref, given[name].Text()))
		}
		return given[name]
	}
}

// selectedBy returns the numbers of the objects that a condition selects, as a design stores them.
func selectedBy(
	d *design.Design, f *design.Field, values func(string) keys.Value, objects []item.Item,
) ([]int, error) {
	c, err := f.Bind(values).Condition()
	if err != nil {
		return nil, err
	}
	found := map[int]bool{}
	for n, it := range objects {
		t := d.Type(it.Type())
		if t == nil || !slices.Contains(f.Types, t.Name) {
			continue
		}
		for _, at := range migratetest.Places(t, f.Index, it) {
			if c.Find(at) >= 0 {
				found[n] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}
