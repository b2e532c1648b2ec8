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

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/typed"
	"github.com/partita/partita/resolvers/claim"
	"github.com/partita/partita/table/item"
)

// content is all items of the table, by key.
func (s *shop) content(t *testing.T) map[keys.Key]item.Item {
	t.Helper()
	var lines bytes.Buffer
	if _, err := s.Table.Export(t.Context(), &lines); err != nil {
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
				v = item.Value{Kind: item.Map, Fields: itemOf(t, fields)}
			default:
				t.Fatalf("%s is a %s, which the shop does not store", name, kind)
			}
			it = append(it, item.Attribute{Name: name, Value: v})
		}
	}
	return it
}

// checkTable compares the table with what follows from its base items: all forms
// of each object, the claims, the counters, and nothing else.
func (s *shop) checkTable(t *testing.T) {
	t.Helper()
	content := s.content(t)
	want := map[keys.Key]item.Item{}
	expect := func(forms []item.Item, err error) {
		if err != nil {
			t.Error(err)
		}
		for _, form := range forms {
			want[keys.KeyOf(form)] = form
		}
	}
	counters := map[string]map[string]int{"orderCount": {}, "followerCount": {}, "followingCount": {}}
	lines := map[keys.ID]int{}
	var users []*model.User
	var orders []*model.Order
	for key, it := range content {
		switch it.Type() {
		case "User":
			users = append(users, filled(t, it, model.NewUser))
		case "Order":
			o := filled(t, it, model.NewOrder)
			if base, err := typed.OrderKey(o.ID); err == nil && base == key {
				orders = append(orders, o)
				counters["orderCount"][o.UserID.Value()]++
				expect(typed.OrderForms(o))
			}
		case "Item":
			line := filled(t, it, model.NewItem)
			lines[line.OrderID]++
			expect(typed.ItemForms(line))
		case "Follow":
			f := filled(t, it, model.NewFollow)
			if base, err := typed.FollowKey(f.FollowerID, f.FolloweeID); err == nil && base == key {
				counters["followingCount"][f.FollowerID.Value()]++
				counters["followerCount"][f.FolloweeID.Value()]++
				expect(typed.FollowForms(f))
			}
		case claim.OrderType:
			id, _ := claim.OrderOf(it)
			if base, err := typed.OrderKey(id); err != nil || content[base] == nil {
				t.Errorf("%v is claimed by no order", key)
			}
			want[key] = it
		}
	}
	for _, u := range users {
		// The counters as they must be make the forms as they must be.
		u.OrderCount = counters["orderCount"][u.ID.Value()]
		u.FollowerCount = counters["followerCount"][u.ID.Value()]
		u.FollowingCount = counters["followingCount"][u.ID.Value()]
		expect(typed.UserForms(u))
		claimed, err := claim.Email(*u.Email, u.ID)
		expect([]item.Item{claimed}, err)
	}
	for _, o := range orders {
		if lines[o.ID] != o.ItemCount {
			t.Errorf("%s has %d lines and says %d", o.ID, lines[o.ID], o.ItemCount)
		}
	}
	if diff := cmp.Diff(texts(want), texts(content)); diff != "" {
		t.Errorf("the table (+) is not what follows from its base items (-):\n%s", diff)
	}
}

func filled[T any](t *testing.T, it item.Item, fill func(item.Item) (*T, error)) *T {
	t.Helper()
	model, err := fill(it)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// texts is a table as one line for each item, with its attributes in order.
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
			fields[a.Name] = text(a.Value.Fields)
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

// TestDemoData: the demo data is as the mutations would have written it.
func TestDemoData(t *testing.T) { startShop(t).checkTable(t) }
