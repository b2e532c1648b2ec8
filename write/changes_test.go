package write_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/partita/partita/internal/soak" // the cases of rapid
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// memory is a table that carries out actions as their comments describe.
type memory map[keys.Key]map[string]string

func memoryOf(items ...item.Item) memory {
	m := memory{}
	for _, it := range items {
		m[keys.KeyOf(it)] = attributesOf(it)
	}
	return m
}

func attributesOf(it item.Item) map[string]string {
	attributes := map[string]string{}
	for _, a := range it {
		attributes[a.Name] = a.Value.Text
	}
	return attributes
}

// transact reports whether the conditions held. It fails when an item is
// touched twice.
func (m memory) transact(t interface{ Fatalf(string, ...any) }, actions []write.Action) bool {
	send := func(_ context.Context, tx write.Transaction) error { return m.write(t, tx.Actions) }
	return write.Transaction{Actions: actions}.Send(context.Background(), send) == nil
}

// holds reports whether a condition on an item holds.
func (m memory) holds(key keys.Key, c write.Precondition) bool {
	old, exists := m[key]
	_, deleted := old[keys.AttributeDeletedAt]
	// The test has no numbers with several digits.
	switch c.Kind {
	case write.PreconditionMissing:
		return !exists
	case write.PreconditionExists:
		return exists && !deleted
	case write.PreconditionEquals:
		return exists && old[c.Name] == c.Value.Text
	case write.PreconditionBelow:
		return !exists || old[c.Name] < c.Value.Text || deleted && old[c.Name] == c.Value.Text
	case write.PreconditionNotBelow:
		return exists && old[c.Name] >= c.Value.Text
	case write.PreconditionHolds:
		return !slices.ContainsFunc(c.Values, func(a item.Attribute) bool { return old[a.Name] != a.Value.Text })
	case write.PreconditionOther:
		return slices.ContainsFunc(c.Values, func(a item.Attribute) bool { return old[a.Name] != a.Value.Text })
	default:
		return exists
	}
}

func (m memory) write(t interface{ Fatalf(string, ...any) }, actions []write.Action) error {
	seen := map[keys.Key]bool{}
	var failed write.ConditionError
	for i, a := range actions {
		if seen[a.Key] {
			t.Fatalf("two actions on %v", a.Key)
		}
		seen[a.Key] = true
		if slices.ContainsFunc(a.If, func(c write.Precondition) bool { return !m.holds(a.Key, c) }) {
			failed.Failed = append(failed.Failed, write.FailedCondition{Action: i})
		}
	}
	if len(failed.Failed) > 0 {
		return &failed
	}
	for _, a := range actions {
		switch a.Kind {
		case write.ActionPut:
			m[a.Key] = attributesOf(a.Item)
		case write.ActionDelete:
			delete(m, a.Key)
		case write.ActionUpdate:
			if m[a.Key] == nil {
				m[a.Key] = map[string]string{keys.AttributePK: string(a.Key.PK), keys.AttributeSK: string(a.Key.SK)}
			}
			for _, s := range a.Set {
				m[a.Key][s.Name] = s.Value.Text
			}
			for _, name := range a.Remove {
				delete(m[a.Key], name)
			}
		}
	}
	return nil
}

// drawTicket returns a ticket with the id t1 and anything else.
func drawTicket(t *rapid.T, label string) []item.Item {
	optional := func(name string, values ...string) item.Attribute {
		v := rapid.SampledFrom(append(values, "")).Draw(t, label+" "+name)
		if v == "" {
			return item.Attribute{Name: name}
		}
		return item.Attribute{Name: name, Value: item.StringValue(v)}
	}
	external := optional("externalId", "x1", "x2")
	if external.Value.Kind == item.String {
		external.Value = keys.IDAttribute(keys.NewID("", external.Value.Text))
	}
	queue := rapid.SampledFrom([]string{"q1", "q2"}).Draw(t, label+" queue")
	items := must(write.Items(ticket, attributes(
		idOf("queueId", "Queue", queue),
		item.Attribute{Name: "number", Value: item.NumberValue(rapid.IntRange(1, 3).Draw(t, label+" number"))},
		optional("assignee", "ada", "bob"), optional("text", "a", "b"), external,
	)))
	return items
}

func TestUpdate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawTicket(t, "before"), drawTicket(t, "after")
		actions := must(write.Update(tickets, before, after))
		m := memoryOf(before...)
		if !m.transact(t, actions) {
			t.Fatal("the conditions do not hold for what was read")
		}
		if diff := cmp.Diff(memoryOf(after...), m); diff != "" {
			t.Fatalf("the table (+) does not have the new items (-): %s", diff)
		}
		if actions[0].Key != keys.KeyOf(after[0]) {
			t.Errorf("the first action is on %v, not the base item", actions[0].Key)
		}
		if (memory{}).transact(t, actions) {
			t.Error("an object that is gone was updated")
		}
	})
}

// What others change meanwhile, such as a counter, either survives or stops the
// update.
func TestUpdateLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawTicket(t, "before"), drawTicket(t, "after")
		for _, items := range [][]item.Item{before, after} {
			for i := range items {
				items[i] = append(items[i], item.Attribute{Name: "count", Value: item.NumberValue(7)})
			}
		}
		actions := must(write.Update(tickets, before, after))
		m := memoryOf(before...)
		for key := range m {
			m[key]["count"] = "8"
		}
		moves := slices.ContainsFunc(actions, func(a write.Action) bool { return a.Kind == write.ActionPut })
		if m.transact(t, actions) == moves {
			t.Errorf("an update that moves an item %v carried out: %v", moves, !moves)
		}
		for key, attributes := range m {
			if attributes["count"] != "8" {
				t.Errorf("%v has lost the other change: %v", key, attributes)
			}
		}
	})
}

func TestCreateAndDelete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := drawTicket(t, "new")
		m := memory{}
		if !m.transact(t, write.Create(tickets, items)) {
			t.Fatal("the object was not created")
		}
		if diff := cmp.Diff(memoryOf(items...), m); diff != "" {
			t.Fatal(diff)
		}
		if m.transact(t, write.Create(tickets, items)) {
			t.Error("the object was created twice")
		}
		if !m.transact(t, write.Delete(tickets, items)) || len(m) != 0 {
			t.Errorf("after the deletion there is %v", m)
		}
		if m.transact(t, write.Delete(tickets, items)) {
			t.Error("the object was deleted twice")
		}
	})
}

func TestUpdateWritesOnlyChanges(t *testing.T) {
	items := func(changes ...item.Attribute) []item.Item {
		all := must(write.Items(ticket, attributes(changes...)))
		return all
	}
	ada := text("assignee", "ada")
	for _, tt := range []struct {
		name          string
		before, after []item.Item
		want          []string
	}{
		{"nothing", items(ada), items(ada), []string{"3 TICKET#t1 [] []"}},
		{"a plain attribute", items(), items(text("text", "new")), []string{
			"1 TICKET#t1 [text] []", "1 QUEUE#q1 [text] []",
		}},
		{"the copy enters an index", items(), items(ada), []string{
			"1 TICKET#t1 [assignee] []", "1 QUEUE#q1 [GSI1PK GSI1SK assignee] []",
		}},
		{"the copy leaves an index", items(ada), items(), []string{
			"1 TICKET#t1 [] [assignee]", "1 QUEUE#q1 [] [GSI1PK GSI1SK assignee]",
		}},
		{"the copy moves", items(), items(idOf("queueId", "Queue", "q2")), []string{
			"1 TICKET#t1 [queueId] []", "0 QUEUE#q2 [] []", "2 QUEUE#q1 [] []",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			actions := must(write.Update(tickets, tt.before, tt.after))
			var got []string
			for _, a := range actions {
				set := []string{}
				for _, s := range a.Set {
					set = append(set, s.Name)
				}
				got = append(got, fmt.Sprintf("%d %s %v %v", a.Kind, a.Key.PK, set, a.Remove))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUpdateOfAnotherObject(t *testing.T) {
	one := must(write.Items(ticket, attributes()))
	other := must(write.Items(ticket, attributes(idOf("id", "Ticket", "t2"))))
	if _, err := write.Update(tickets, one, other); err == nil {
		t.Error("an object was turned into another")
	}
}
