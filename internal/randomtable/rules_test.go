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
	return payload, nil
}

func (p *player) createTeam() error {
	limit := p.drawLimit()
	in := values{}
	if limit != nil {
		in["limit"] = *limit
	}
	payload, err := p.do("", "createTeam", in, "team { id }", &faults{})
	if err == nil {
		p.teams[idIn(payload, "team")] = &team{limit: limit}
	}
	return err
}

// idIn returns the id of an object in a payload.
func idIn(payload map[string]any, name string) string {
	return payload[name].(map[string]any)["id"].(string)
}

func (p *player) drawLimit() *int {
	if p.n(4) == 0 {
		return nil
	}
	limit := p.n(8)
	return &limit
}

func (p *player) setLimit() error {
	id, limit := p.team(), p.drawLimit()
	if id == "" {
		return nil
	}
	in := values{"id": id, "limit": nil}
	if limit != nil {
		in["limit"] = *limit
	}
	payload, err := p.do("", "updateTeam", in, "", p.limit(id, limit))
	if payload != nil {
		p.teams[id].limit = limit
	}
	return err
}

func (p *player) removeTeam() error {
	id := p.team()
	if id == "" || p.n(3) > 0 {
		return nil
	}
	f, after := p.deleteTeam(id)
	payload, err := p.do("", "deleteTeam", values{"id": id}, "", f)
	if payload != nil {
		delete(p.teams, id)
		p.gone = append(p.gone, id)
		p.become(after)
	}
	return err
}

func (p *player) join() error {
	id, who := p.team(), viewers[p.n(2)]
	if id == "" {
		return nil
	}
	f := &faults{}
	f.add(p.members[[2]string{id, who}] != "", "ALREADY")
	payload, err := p.do("", "createMember", values{"teamId": id, "userId": who}, "member { id }", f)
	if payload != nil {
		p.members[[2]string{id, who}] = idIn(payload, "member")
	}
	return err
}

func (p *player) leave() error {
	id, who := p.team(), viewers[p.n(2)]
	member := p.members[[2]string{id, who}]
	if member == "" {
		return nil
	}
	delete(p.members, [2]string{id, who})
	_, err := p.do("", "deleteMember", values{"id": member}, "", &faults{})
	return err
}

// become sets the tasks.
func (p *player) become(after map[string]*task) {
	for id := range p.tasks {
		if after[id] == nil {
			p.gone = append(p.gone, id)
		}
	}
	p.tasks = after
}

// draw draws values of a task, all of them for a new one.
func (p *player) draw(t *task, isNew bool) values {
	in := values{}
	is := func() bool { return isNew || p.n(3) == 0 }
	if (isNew || !p.isFixed()) && is() {
		t.team = p.team()
		in["teamId"] = t.team
		if p.isOptional && p.n(4) == 0 || t.team == "" {
			t.team, in["teamId"] = "", nil
		}
	}
	if is() {
		t.status = statuses[p.n(len(statuses))]
		if isNew && p.n(2) == 0 {
			t.status = statuses[0]
		}
		in["status"] = t.status
	}
	if is() {
		t.size = p.n(7)
		if p.n(9) == 0 {
			t.size = -2
		}
		in["size"] = t.size
	}
	if is() {
		t.title = []string{"", "", "a", "A", "b"}[p.n(5)]
		if in["title"] = t.title; t.title == "" {
			in["title"] = nil
		}
	}
	if is() {
		if t.parent, in["parentId"] = "", nil; p.n(2) == 0 {
			if id := p.task(); id != "" {
				t.parent, in["parentId"] = id, id
			}
		}
	}
	return in
}

func (p *player) createTask() error {
	t, who := &task{}, p.who()
	in := p.draw(t, true)
	if t.team == "" && !p.isOptional {
		return nil
	}
	after := maps.Clone(p.tasks)
	after["new"] = t
	payload, err := p.do(who, "createTask", in, "task { id }", p.write(after, who, false))
	if payload != nil {
		p.add(idIn(payload, "task"), t)
	}
	return err
}

// add adds a task, which gets the next number of its team.
func (p *player) add(id string, t *task) {
	if p.hasSequence {
		p.teams[t.team].last++
		t.number = p.teams[t.team].last
	}
	p.tasks[id] = t
}

// changed returns the tasks after a change of one, and the faults; the task has to exist.
func (p *player) changed(id, who string, change func(*task), isAction bool) (map[string]*task, *faults) {
	after := maps.Clone(p.tasks)
	if p.tasks[id] == nil {
		return after, &faults{must: []string{"NOT_FOUND", "FORBIDDEN"}, may: []string{"INVALID"}}
	}
	t := *p.tasks[id]
	change(&t)
	after[id] = &t
	f := p.write(after, who, isAction)
	if p.byMembers && p.members[[2]string{t.team, who}] == "" {
		f.add(true, "FORBIDDEN", "NOT_MEMBER")
	}
	return after, f
}

func (p *player) updateTask() error {
	id, who := p.task(), p.who()
	if id == "" {
		return nil
	}
	var in values
	after, f := p.changed(id, who, func(t *task) { in = p.draw(t, false) }, false)
	if in == nil {
		in = values{"size": 1}
	}
	if in["teamId"] == nil && !p.isOptional {
		delete(in, "teamId")
	}
	in["id"] = id
	payload, err := p.do(who, "updateTask", in, "", f)
	if payload != nil {
		p.become(after)
	}
	return err
}

func (p *player) removeTask() error {
	id, who := p.task(), p.who()
	if id == "" {
		return nil
	}
	after, f := p.changed(id, who, func(*task) {}, false)
	if p.tasks[id] != nil {
		delete(after, id)
		f = p.write(after, who, false)
	}
	payload, err := p.do(who, "deleteTask", values{"id": id}, "", f)
	if payload != nil {
		p.become(after)
	}
	return err
}

// act adds the faults of an action on a task with the condition.
func (p *player) act(f *faults, id, who string, hasCondition bool) {
	f.add(p.byMembers && who == "", "FORBIDDEN")
	if t := p.tasks[id]; t != nil && hasCondition {
		f.add(!p.condition.holds(t), "NOT_SO")
	}
}

// idName returns the field of the input with the id of the only task of an action: that of the object, unless there are
// other steps.
func (p *player) idName() string {
	if p.byMembers {
		return "taskId"
	}
	return "id"
}

func (p *player) move() error {
	id, who, status := p.task(), p.who(), statuses[p.n(len(statuses))]
	if id == "" {
		return nil
	}
	after, f := p.changed(id, who, func(t *task) { t.status = status }, true)
	p.act(f, id, who, true)
	if t := p.tasks[id]; t != nil {
		f.add(p.to != nil && t.status == status, "ILLEGAL_TRANSITION")
	}
	payload, err := p.do(who, "move", values{p.idName(): id, "status": status}, "", f)
	if payload != nil {
		p.become(after)
	}
	return err
}

func (p *player) grow() error {
	id, who, by := p.task(), p.who(), p.n(5)
	if id == "" {
		return nil
	}
	after, f := p.changed(id, who, func(t *task) { t.size += by }, true)
	p.act(f, id, who, true)
	f.add(by == 0, "INVALID")
	payload, err := p.do(who, "grow", values{p.idName(): id, "by": by}, "", f)
	if payload != nil {
		p.become(after)
	}
	return err
}

func (p *player) pair() error {
	id, who := p.team(), p.who()
	if id == "" {
		return nil
	}
	one := task{team: id, status: statuses[p.n(2)], size: p.n(5)}
	two, after := one, maps.Clone(p.tasks)
	if p.hasDefaults {
		two.status, two.size = statuses[0], 1
	}
	after["one"], after["two"] = &one, &two
	f := p.write(after, who, true)
	p.act(f, "", who, false)
	in := values{"teamId": id, "status": one.status, "size": one.size}
	payload, err := p.do(who, "pair", in, "one { id } two { id }", f)
	if payload != nil {
		p.add(idIn(payload, "one"), &one)
		p.add(idIn(payload, "two"), &two)
	}
	return err
}

func (p *player) swap() error {
	kept, gone, who, status := p.task(), p.task(), p.who(), statuses[p.n(len(statuses))]
	if kept == "" {
		return nil
	}
	after, f := p.changed(kept, who, func(t *task) { t.status = status }, true)
	p.act(f, gone, who, true)
	if t := p.tasks[kept]; t != nil {
		f.add(p.to != nil && t.status == status, "ILLEGAL_TRANSITION")
	}
	f.add(kept == gone, "INVALID")
	switch {
	case p.tasks[gone] == nil:
		f.add(true, "NOT_FOUND")
	case kept != gone:
		delete(after, gone)
		g := p.write(after, who, true)
		f = &faults{append(slices.DeleteFunc(f.must, func(c string) bool { return c == "INVALID" }), g.must...), f.may}
		if p.byMembers && p.tasks[kept] != nil && p.members[[2]string{p.tasks[kept].team, who}] != "" {
			// Whose task is deleted is not asked.
			f.must = slices.DeleteFunc(f.must, func(c string) bool { return c == "FORBIDDEN" || c == "NOT_MEMBER" })
			p.act(f, gone, who, true)
		}
	}
	payload, err := p.do(who, "swap", values{"keptId": kept, "goneId": gone, "status": status}, "", f)
	if payload != nil {
		p.become(after)
	}
	return err
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
