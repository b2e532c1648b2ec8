package randomtable

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/viewer"
)

// TestRules serves schemas with random rules, and sends random mutations of several viewers. Each user error is one
// that the model has a reason for, nothing else fails, no price is too low, and the table has what the model has.
func TestRules(t *testing.T) {
	e := startEngine(t)
	accepted, rejected := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.Custom(func(t *rapid.T) *rules { return drawRules(drawn{t}) }).Draw(t, "rules")
		schema, findings, err := read(r.sdl())
		switch {
		case err != nil:
			t.Fatalf("%v\n%s", err, r.sdl())
		case len(findings) > 0:
			t.Logf("%v\n%s", findings, r.sdl())
			rejected++
			return
		}
		accepted++
		s, err := e.serve(t.Context(), schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.close()
		p := &player{
			model:   &model{rules: r, tasks: map[string]*task{}, teams: map[string]*team{}, members: map[[2]string]string{}},
			service: s, T: t,
		}
		if err := p.play(); err != nil {
			t.Fatalf("%v\n%s\n%s", err, strings.Join(p.sent, "\n"), r.sdl())
		}
	})
	if !t.Failed() && accepted < 4*rejected {
		t.Errorf("%d schemas are accepted, and %d rejected: the generator is too careless", accepted, rejected)
	}
}

// player sends mutations, and knows from the model what becomes of them.
type player struct {
	*model
	*service
	*rapid.T
	sent []string
}

func (p *player) n(n int) int { return rapid.IntRange(0, n-1).Draw(p.T, "n") }

// IntN takes the place of that with which the rules were drawn.
func (p *player) IntN(n int) int { return p.n(n) }

func (p *player) play() error {
	for range 2 {
		if err := p.createTeam(); err != nil {
			return err
		}
	}
	steps := []func() error{
		p.createTeam, p.setLimit, p.removeTeam, p.join, p.join, p.join, p.leave, p.createTask, p.createTask, p.createTask,
		p.createTask, p.updateTask, p.updateTask, p.updateTask, p.removeTask, p.move, p.move, p.grow, p.pair, p.swap,
	}
	for range 10 + p.n(20) {
		if err := steps[p.n(len(steps))](); err != nil {
			return err
		}
	}
	if err := p.compare(); err != nil {
		return err
	}
	report, err := p.service.check(p.Context(), false)
	for _, v := range report.Violations {
		if v.Kind != check.ReferenceBroken { // A team may be deleted before its members, and a parent before its children.
			return fmt.Errorf("table check: %+v", v)
		}
	}
	return err
}

// viewers are who sends mutations; the last one is nobody.
var viewers = []string{"ann", "bob", ""}

func (p *player) who() string { return viewers[p.n(len(viewers))] }

// one returns an id, sometimes of an object that there is no longer; "" if there is none.
func (p *player) one(kind string, ids []string) string {
	for _, id := range p.gone {
		if parsed, _ := keys.ParseID(id); parsed.Type() == kind && p.n(8) == 0 {
			return id
		}
	}
	if len(ids) == 0 {
		return ""
	}
	slices.Sort(ids)
	return ids[p.n(len(ids))]
}

func (p *player) team() string { return p.one("Team", slices.Collect(maps.Keys(p.teams))) }
func (p *player) task() string { return p.one("Task", slices.Collect(maps.Keys(p.tasks))) }

// values are those of an input; nil is null.
type values map[string]any

func (in values) text() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(in)) {
		text, isText := in[name].(string)
		switch {
		case in[name] == nil:
			text = "null"
		case name == "status":
		case isText:
			text = literal(text)
		default:
			text = fmt.Sprint(in[name])
		}
		parts = append(parts, name+": "+text)
	}
	return strings.Join(parts, ", ")
}

// do sends a mutation. It reports whether it was carried out, and returns the payload. An answer without a reason is an
// error.
func (p *player) do(who, name string, in values, selection string, f *faults) (payload map[string]any, err error) {
	document := fmt.Sprintf("mutation { m: %s(input: {%s}) { %s userErrors { code message } } }",
		name, in.text(), selection)
	p.sent = append(p.sent, fmt.Sprintf("%q: %s", who, document))
	got, err := p.sendAs(p.Context(), viewer.Viewer{ID: who}, document)
	if err != nil {
		return nil, err
	}
	var codes []string
	for _, e := range got.Errors {
		codes = append(codes, fmt.Sprint(e.(map[string]any)["extensions"].(map[string]any)["code"]))
	}
	payload, _ = got.Data["m"].(map[string]any)
	if list, is := payload["userErrors"].([]any); is {
		for _, e := range list {
			codes = append(codes, fmt.Sprint(e.(map[string]any)["code"]))
		}
	}
	p.sent = append(p.sent, fmt.Sprint("  ", codes, " of ", *f))
	for _, code := range codes {
		if !slices.Contains(f.must, code) && !slices.Contains(f.may, code) {
			return nil, fmt.Errorf("%v %v instead of one of %v", got.Errors, payload, *f)
		}
	}
	switch {
	case len(codes) > 0:
		return nil, nil //nolint:nilnil // nothing is written, and nothing went wrong
	case len(f.must) > 0:
		return nil, fmt.Errorf("%v instead of one of %v", payload, *f)
	}
	return payload, p.checkRequests(f.reads)
}

// mostReads is what a change of a task needs at most: the task, and its team.
const mostReads = 2

// checkRequests returns an error if the last mutation, which was carried out, was more than one write, or if it read
// more than it needs; reads are as many as the model knows, or nil.
func (p *player) checkRequests(reads *int) error {
	got, writes := 0, 0
	for operation, n := range p.proxy.Counts().Requests {
		switch operation {
		case "GetItem", "BatchGetItem", "Query":
			got += n
		default:
			writes += n
		}
	}
	if writes > 1 || got > mostReads || reads != nil && (got != *reads || writes != 1) {
		return fmt.Errorf("%d writes, and %d reads where %v are needed: %q", writes, got, reads, p.proxy.Log())
	}
	return nil
}

// compare compares the table with the model.
func (p *player) compare() error {
	items, err := p.export(p.Context(), &tableModel{pk: "PK", sk: "SK"})
	if err != nil {
		return err
	}
	want, got := map[string]string{}, map[string]string{}
	text := func(it map[string]any, name string) string {
		text, _ := textOf(it[name])
		return text
	}
	for _, it := range items {
		id := keys.NewID(text(it, "entityType"), text(it, "id")).Encode()
		values := []string{text(it, "teamId"), text(it, "status"), text(it, "size"), text(it, "title"),
			text(it, "parentId"), text(it, "number")}
		switch text(it, "entityType") {
		case "Team":
			values = []string{text(it, "limit"), text(it, "last")}
			for _, c := range p.counters {
				values = append(values, text(it, c.name))
			}
		case "Task":
		default:
			continue
		}
		if line := strings.Join(values, " "); got[id] != "" && got[id] != line {
			return fmt.Errorf("the items of %s differ: %s and %s", id, got[id], line)
		} else {
			got[id] = line
		}
	}
	for id, t := range p.tasks {
		number := ""
		if p.hasSequence {
			number = strconv.Itoa(t.number)
		}
		want[id] = strings.Join([]string{raw(t.team), t.status, strconv.Itoa(t.size), t.title, raw(t.parent), number}, " ")
	}
	for id, t := range p.teams {
		limit, last := "", ""
		if t.limit != nil {
			limit = strconv.Itoa(*t.limit)
		}
		if p.hasSequence {
			last = strconv.Itoa(t.last)
		}
		values := []string{limit, last}
		for _, c := range p.counters {
			values = append(values, strconv.Itoa(c.value(id, p.tasks)))
		}
		want[id] = strings.Join(values, " ")
	}
	if !maps.Equal(want, got) {
		a, _ := json.MarshalIndent(want, "", " ")
		b, _ := json.MarshalIndent(got, "", " ")
		return errors.New("want " + string(a) + "\ngot " + string(b))
	}
	return nil
}

// raw returns the value in a global id; "" for none.
func raw(id string) string {
	if id == "" {
		return ""
	}
	value, err := keysOfID(id)
	if err != nil {
		panic(err)
	}
	return value
}
