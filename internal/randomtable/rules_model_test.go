package randomtable

import (
	"maps"
	"slices"
	"strings"
)

// task and team are objects in the model; an id, a title or a parent is "" if it is null.
type task struct {
	team, status, title, parent string
	size, number                int
}

type team struct {
	limit *int
	last  int
}

// model is what the table must contain, by global ids.
type model struct {
	*rules
	tasks   map[string]*task
	teams   map[string]*team
	members map[[2]string]string
	// gone are the ids of objects that there are no longer.
	gone []string
}

// faults are the codes of user errors for a change: one of those in must is the answer. With some in may alone, it may
// be one of them, or success.
type faults struct {
	must, may []string
	// reads are the requests that read something, if the mutation is carried out; nil if the model does not know.
	reads *int
}

func (f *faults) withReads(n int) *faults {
	f.reads = &n
	return f
}

func (f *faults) add(is bool, codes ...string) {
	if is {
		f.must = append(f.must, codes...)
	}
}

// value returns that of a counter of a team.
func (c counter) value(id string, tasks map[string]*task) int {
	n := 0
	for _, t := range tasks {
		switch {
		case t.team != id || !c.where.holds(t):
		case c.ofSize:
			n += t.size
		default:
			n++
		}
	}
	return n
}

// most returns the limit of a counter; false if there is none.
func (c counter) most(t *team) (int, bool) {
	switch {
	case c.max == "limit" && t.limit != nil:
		return *t.limit, true
	case c.max != "" && c.max != "limit":
		return 3, true
	}
	return 0, false
}

// write returns the faults of a change of tasks by a viewer, whose result is after.
func (m *model) write(after map[string]*task, viewer string, isAction bool) *faults {
	f := &faults{}
	for id, t := range after {
		if before := m.tasks[id]; before == nil || *before != *t {
			m.writeTask(f, id, before, t, after, isAction)
		}
	}
	teams := map[string]bool{}
	for _, all := range []map[string]*task{m.tasks, after} {
		for id, t := range all {
			if same := m.tasks[id]; t.team != "" && (same == nil || after[id] == nil || *same != *after[id]) {
				teams[t.team] = true
				if m.byMembers && m.members[[2]string{t.team, viewer}] == "" {
					f.add(true, "FORBIDDEN", "NOT_MEMBER")
				}
			}
		}
	}
	for id := range teams {
		for _, c := range m.counters {
			was, is := c.value(id, m.tasks), c.value(id, after)
			t := m.teams[id]
			if t == nil {
				f.add(was != is, "NOT_FOUND")
				continue
			}
			most, has := c.most(t)
			f.add(has && is > was && is > most, "INVALID")
			f.add(c.min != "" && is < was && is < 0, "INVALID")
		}
	}
	return f
}

// writeTask adds the faults of a task that is created or changed.
func (m *model) writeTask(f *faults, id string, before, t *task, after map[string]*task, isAction bool) {
	isNew := before == nil
	if isNew {
		before = &task{}
	}
	f.add(m.least != nil && (isNew || t.size != before.size) && (t.size < *m.least || t.size > *m.most), "INVALID")
	if m.to != nil && t.status != before.status {
		switch {
		case isNew:
			f.add(len(m.starts) > 0 && !slices.Contains(m.starts, t.status), "ILLEGAL_TRANSITION")
		default:
			f.add(!slices.Contains(m.to[before.status], t.status), "ILLEGAL_TRANSITION")
		}
	}
	for other, o := range after {
		f.add(m.unique != "" && other != id && t.title != "" && m.same(t.title, o.title) &&
			(m.unique == "all" || t.team == o.team) && m.uniqueOf.holds(t) && m.uniqueOf.holds(o), "TAKEN")
	}
	if m.mustExist && t.parent != "" && t.parent != before.parent {
		f.add(t.parent == id, "INVALID", "NOT_FOUND")
		f.add(m.tasks[t.parent] == nil, "NOT_FOUND")
	}
	if t.team != "" && t.team != before.team && m.teams[t.team] == nil {
		f.add(m.cascades || m.hasSequence || isNew && slices.ContainsFunc(m.counters, counter.isOfAll), "NOT_FOUND")
		f.may = append(f.may, "NOT_FOUND")
	}
}

// isOfAll reports whether a counter is the number of all tasks.
func (c counter) isOfAll() bool { return c.where.text == "" && !c.ofSize }

func (m *model) same(title, other string) bool {
	if m.ignoreCase {
		return strings.EqualFold(title, other)
	}
	return title == other
}

// deleteTeam returns the faults of the deletion of a team, and what is left.
func (m *model) deleteTeam(id string) (f *faults, after map[string]*task) {
	f, after = &faults{}, maps.Clone(m.tasks)
	f.add(m.teams[id] == nil, "NOT_FOUND")
	if m.cascades {
		maps.DeleteFunc(after, func(_ string, t *task) bool { return t.team == id })
		return f, after
	}
	for _, c := range m.counters {
		f.add(c.value(id, m.tasks) != 0, "INVALID")
	}
	return f, after
}

// limit returns the faults of another limit of a team.
func (m *model) limit(id string, limit *int) *faults {
	f := &faults{}
	f.add(m.teams[id] == nil, "NOT_FOUND")
	for _, c := range m.counters {
		f.add(c.max == "limit" && limit != nil && m.teams[id] != nil && c.value(id, m.tasks) > *limit, "INVALID")
	}
	return f
}
