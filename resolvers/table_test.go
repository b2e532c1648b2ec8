package resolvers_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/partita/partita/app"
	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	tableadmin "github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/resolvers"
	"github.com/partita/partita/table/check"
)

// content returns all items of the table by key.
func (s *shop) content(t *testing.T) map[keys.Key]item.Item {
	t.Helper()
	var lines bytes.Buffer
	if _, err := tableadmin.Export(t.Context(), s.Table, &lines); err != nil {
		t.Fatal(err)
	}
	all := map[keys.Key]item.Item{}
	for scanner := bufio.NewScanner(&lines); scanner.Scan(); {
		var line struct{ Item map[string]map[string]any }
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		it := itemOf(t, line.Item)
		all[keys.KeyOf(it)] = it
	}
	return all
}

func itemOf(t *testing.T, attributes map[string]map[string]any) item.Item {
	t.Helper()
	var it item.Item
	for name, typed := range attributes {
		for kind, value := range typed {
			v := item.Value{Text: fmt.Sprint(value)}
			switch kind {
			case "S":
				v.Kind = item.String
			case "N":
				v.Kind = item.Number
			case "M":
				fields := map[string]map[string]any{}
				for name, field := range value.(map[string]any) {
					fields[name] = field.(map[string]any)
				}
				v = item.FieldsValue(itemOf(t, fields))
			default:
				t.Fatalf("%s is a %s, which the shop does not store", name, kind)
			}
			it = append(it, item.Attribute{Name: name, Value: v})
		}
	}
	return it
}

// checkTable checks that the table has no violations.
func (s *shop) checkTable(t *testing.T) {
	t.Helper()
	for _, v := range s.check(t).Violations {
		t.Errorf("%s %s %s: %s", v.Kind, v.PK, v.SK, v.Problem)
	}
}

// checkOptions returns the options of `partita table check`.
func checkOptions() check.Options {
	return check.Options{
		Design: typed.Design, Rules: resolvers.Invariants, Decode: app.Decode(model.NewNode),
		Scope: check.Scope{Only: append(slices.Clone(check.Kinds), resolvers.OrderWrong)},
	}
}

func (s *shop) check(t *testing.T) check.Report {
	t.Helper()
	report, err := check.Table(t.Context(), s.source(), checkOptions())
	if err != nil || len(report.Unconfirmed) > 0 {
		t.Fatalf("unconfirmed %v, %v", report.Unconfirmed, err)
	}
	return report
}

// texts returns a table as one line for each item, with its attributes in order.
func texts(all map[keys.Key]item.Item) []string {
	var lines []string
	for _, it := range all {
		lines = append(lines, text(it))
	}
	slices.Sort(lines)
	return lines
}

func text(it item.Item) string {
	fields := map[string]string{}
	for _, a := range it {
		fields[a.Name] = a.Value.Text
		if a.Value.Kind == item.Map {
			fields[a.Name] = text(a.Value.Fields())
		}
	}
	line := fields[keys.AttributePK] + " " + fields[keys.AttributeSK]
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if name != keys.AttributePK && name != keys.AttributeSK {
			line += " " + name + "=" + fields[name]
		}
	}
	return line
}

// TestDemoData: the demo data fit the design and the shop's rules, and the cost of a check is within its limit.
func TestDemoData(t *testing.T) {
	t.Parallel()
	items := 0
	for range demo.Items() {
		items++
	}
	s := startShop(t)
	want := check.Report{Items: items, Cost: check.Cost{Requests: 132, ReadUnits: 5580}}
	if diff := cmp.Diff(want, s.check(t), cmpopts.IgnoreUnexported(check.Violation{})); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
}

// source returns the shop's table for package check.
func (s *shop) source() check.Source { return tableadmin.Scanner{Table: s.Table} }
