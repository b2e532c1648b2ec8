package randomtable

import (
	"maps"
	"slices"
)

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
	payload, err := p.do(who, "createTask", in, "task { id }", p.write(after, who, false).withReads(p.readsFor(t)))
	if payload != nil {
		p.add(idIn(payload, "task"), t)
	}
	return err
}

// readsFor returns how many requests read something for new tasks: the membership on which it depends whether they are
// shown, and their team, if it has the last number or the limit of a sum. A limit of a number is a condition.
func (p *player) readsFor(all ...*task) int {
	reads, readsTeam := 0, p.hasSequence
	if p.byMembers {
		reads++
	}
	for _, t := range all {
		for _, c := range p.counters {
			readsTeam = readsTeam || c.ofSize && c.max == "limit" && t.team != "" && t.size > 0 && c.where.holds(t)
		}
	}
	if readsTeam {
		reads++
	}
	return reads
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
		must := append(slices.DeleteFunc(f.must, func(c string) bool { return c == "INVALID" }), g.must...)
		f = &faults{must: must, may: f.may}
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
