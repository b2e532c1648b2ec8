package check_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

var schema = table.SchemaOf(tableDesign)

// design has teams, persons who are members of them (an edge with its inverse),
// tasks with a copy in their team's collection and an entry in an index of four
// shards, comments that an index lists by person, and sessions, which expire, with
// a copy. Four collections have counters.
var tableDesign = design.MustDesign(
	nil,
	[]*design.Type{
		{
			Name: "Team", Identity: []string{"id"}, MaxBytes: 512, Item: shape("TEAM#{id}", "TEAM#{id}"),
			Attributes: []design.Attribute{id("id", "Team"), text("name"), count("taskCount"), count("memberCount")},
		},
		{
			Name: "Person", Identity: []string{"id"}, MaxBytes: 512, Item: shape("PERSON#{id}", "PERSON#{id}"),
			Attributes: []design.Attribute{id("id", "Person"), count("teamCount"), count("commentCount")},
		},
		{
			Name: "Membership", Identity: []string{"teamId", "personId"}, MaxBytes: 512,
			Attributes: []design.Attribute{id("teamId", "Team"), id("personId", "Person")},
			Item:       shape("TEAM#{teamId}", "MEMBER#{personId}"),
			Copies:     []design.Copy{{Shape: shape("PERSON#{personId}", "MEMBER_OF#{teamId}")}},
		},
		{
			Name: "Task", Identity: []string{"id"}, MaxBytes: 512,
			Attributes: []design.Attribute{
				id("id", "Task"), id("teamId", "Team"), text("title"), {Name: "state", Kind: keys.Enum, NonNull: true},
				{Name: "at", Kind: keys.Time, NonNull: true},
			},
			Item:    shape("TASK#{id}", "TASK#{id}"),
			Copies:  []design.Copy{{Shape: shape("TEAM#{teamId}", "TASK#{at}#{id}")}},
			Indexes: []design.Index{{Name: "GSI1", Shards: 4, Shape: shape("STATE#{state}", "{at}#{id}")}},
		},
		{
			Name: "Comment", Identity: []string{"taskId", "n"}, MaxBytes: 512,
			Attributes: []design.Attribute{
				id("taskId", "Task"), {Name: "personId", Kind: keys.IDKind, Ref: "Person"},
				{Name: "n", Kind: keys.Int, NonNull: true},
			},
			Item:    shape("TASK#{taskId}", "COMMENT#{n:04}"),
			Indexes: []design.Index{{Name: "GSI1", Shards: 1, Shape: shape("BY#{personId}", "{taskId}#{n:04}")}},
		},
		{
			Name: "Session", Identity: []string{"personId", "n"}, MaxBytes: 512, Expires: "ttl",
			Attributes: []design.Attribute{id("personId", "Person"), {Name: "n", Kind: keys.Int, NonNull: true}},
			Item:       shape("PERSON#{personId}", "SESSION#{n:04}"),
			Copies:     []design.Copy{{Shape: shape("SESSION#{n:04}", "SESSION#{personId}")}},
		},
	},
	[]*design.Field{
		counted("Team", "tasks", "", "TEAM#{id}", "TASK#", "taskCount", "Task"),
		counted("Team", "members", "", "TEAM#{id}", "MEMBER#", "memberCount", "Membership"),
		counted("Person", "teams", "", "PERSON#{id}", "MEMBER_OF#", "teamCount", "Membership"),
		counted("Person", "comments", "GSI1", "BY#{id}", "", "commentCount", "Comment"),
	},
)

func shape(pk, sk string) keys.Shape {
	return keys.Shape{PK: keys.MustTemplate(pk), SK: keys.MustTemplate(sk)}
}

func id(name, of string) design.Attribute {
	return design.Attribute{Name: name, Kind: keys.IDKind, Ref: of, NonNull: true}
}

func text(name string) design.Attribute {
	return design.Attribute{Name: name, Kind: keys.String, NonNull: true}
}

func count(name string) design.Attribute {
	return design.Attribute{Name: name, Kind: keys.Int, NonNull: true}
}

func counted(parent, name, index, pk, sk, counter, of string) *design.Field {
	return &design.Field{
		Parent: parent, Name: name, Kind: design.Query, Index: index, Result: design.Connection,
		PK: keys.MustTemplate(pk), SK: keys.MustTemplate(sk), Count: counter, Types: []string{of},
	}
}

// options have a rule for an item type that the design does not have, one for
// teams, and a Decode that knows more than the design. They name all kinds.
func options() check.Options {
	return check.Options{
		Design: tableDesign, Scope: check.Scope{Only: append(slices.Clone(check.Kinds), "TOMBSTONE_WRONG")},
		Rules: []check.Rule{{Type: "NameClaim", Inspect: inspectClaim}, {Type: "Team", Inspect: inspectTeam}},
		Decode: func(it item.Item) error {
			if it.Text("title") == "invalid" {
				return errors.New("the title is invalid")
			}
			return nil
		},
	}
}

func inspectClaim(it item.Item, r check.Reader) []check.Violation {
	team := keyOf("TEAM#"+it.Text("teamId"), "TEAM#"+it.Text("teamId"))
	if r.Get(team) != nil {
		return nil
	}
	v := check.At(keys.KeyOf(it), "CLAIM_ORPHAN", "the team does not exist")
	return []check.Violation{v.FixedBy("delete it",
		write.Action{Kind: write.ActionDelete, Key: keys.KeyOf(it), If: write.IfUnchanged(tableDesign, it)})}
}

func inspectTeam(it item.Item, _ check.Reader) []check.Violation {
	if !keys.IsDeleted(it) || it.Text("name") == "" {
		return nil
	}
	return []check.Violation{check.At(keys.KeyOf(it), "TOMBSTONE_WRONG", "a deleted team has a name")}
}

func keyOf(pk, sk string) keys.Key { return keys.Key{PK: keys.PK(pk), SK: keys.SK(sk)} }

// content is all items of a table.
type content map[keys.Key]item.Item

func contentOf(items []item.Item) content {
	c := content{}
	for _, it := range items {
		c[keys.KeyOf(it)] = it
	}
	return c
}

// inOrder has the items of a partition one after the other, as in a Scan.
func (c content) inOrder() []item.Item {
	return slices.SortedFunc(maps.Values(c), func(a, b item.Item) int {
		return strings.Compare(a.Text("PK")+"\n"+a.Text("SK"), b.Text("PK")+"\n"+b.Text("SK"))
	})
}

// texts returns the items in order, each in one line with its attributes in order.
func (c content) texts() []string {
	var lines []string
	for _, it := range c.inOrder() {
		var parts []string
		for _, a := range it {
			parts = append(parts, a.Name+"="+a.Value.Text)
		}
		slices.Sort(parts)
		lines = append(lines, strings.Join(parts, " "))
	}
	return lines
}

// sound returns a table without violations: a team of two persons with one task, on which one of
// them has commented twice.
func sound(t testing.TB) content {
	t.Helper()
	all := []item.Item{with(nil, "PK=NAME#One", "SK=NAME#One", "entityType=NameClaim", "teamId=t")}
	for _, object := range []string{
		"Team id=t name=One taskCount:=1 memberCount:=2",
		"Person id=a teamCount:=1 commentCount:=2",
		"Person id=b teamCount:=1 commentCount:=0",
		"Membership teamId=t personId=a",
		"Membership teamId=t personId=b",
		"Task id=k teamId=t title=First state=OPEN at=2026-01-02T00:00:00.000Z",
		"Comment taskId=k personId=a n:=1",
		"Comment taskId=k personId=a n:=2",
	} {
		words := strings.Fields(object)
		items := must(write.ItemsOf(tableDesign, tableDesign.Type(words[0]), with(nil, words[1:]...)))
		all = append(all, items...)
	}
	return contentOf(all)
}

// with returns the item with changed attributes: name=text, name:=number, and name:= for one that
// is removed. The text x600 is 600 times the letter x.
func with(it item.Item, words ...string) item.Item {
	it = slices.Clone(it)
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		name, numeric := strings.CutSuffix(name, ":")
		it = slices.DeleteFunc(it, func(a item.Attribute) bool { return a.Name == name })
		switch {
		case numeric && value == "":
		case numeric:
			it = append(it, item.Attribute{Name: name, Value: item.Value{Kind: item.Number, Text: value}})
		case value == "x600":
			it = append(it, item.Attribute{Name: name, Value: item.StringValue(strings.Repeat("x", 600))})
		default:
			it = append(it, item.Attribute{Name: name, Value: item.StringValue(value)})
		}
	}
	return it
}

// damage carries out a line of testdata:
//
//	delete PK SK
//	set PK SK name=text ...
//	put PK SK name=text ...
//	copy PK SK PK SK name=text ...
func (c content) damage(t testing.TB, line string) {
	t.Helper()
	words := strings.Fields(line)
	if len(words) < 3 {
		t.Fatalf("malformed line %q", line)
	}
	key := keyOf(words[1], words[2])
	switch words[0] {
	case "delete":
		delete(c, key)
	case "set":
		c[key] = with(c[key], words[3:]...)
	case "put":
		c[key] = with(nil, append([]string{"PK=" + words[1], "SK=" + words[2]}, words[3:]...)...)
	case "copy":
		to := []string{"PK=" + words[3], "SK=" + words[4]}
		c[keyOf(words[3], words[4])] = with(c[key], append(to, words[5:]...)...)
	default:
		t.Fatalf("unknown command %q", line)
	}
}
