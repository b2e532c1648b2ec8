package randomtable

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/internal/executors"
)

// rules are random rules of teams with tasks, and their members.
type rules struct {
	executors.Random
	// isOptional is set if a task may have no team, byMembers if only members of its team see and change it, and
	// inIndex if an index has the tasks of a team, and not copies.
	isOptional, byMembers, inIndex bool
	// cascades is set if the tasks are deleted with their team.
	cascades               bool
	hasSequence, mustExist bool
	hasDefaults            bool
	// teamCopy is set if a team has a copy, which has the counters as well.
	teamCopy bool
	// least and most are the bounds of a size; nil without @check.
	least, most *int
	// unique is the key of titles: "", all or team. Those of tasks are unique that are uniqueOf.
	unique     string
	uniqueOf   filter
	ignoreCase bool
	counters   []counter
	// to are the transitions of a status, nil without any; starts are those that are first, empty for any.
	to     map[string][]string
	starts []string
	// condition is that of the actions, of a task.
	condition filter
}

// counter is a number of a team that follows from its tasks.
type counter struct {
	name     string
	where    filter
	ofSize   bool
	min, max string
}

// filter is a condition on a task.
type filter struct {
	text  string
	holds func(*task) bool
}

var statuses = []string{"OPEN", "DOING", "DONE", "DROPPED"}

var filters = []filter{
	{"", func(*task) bool { return true }},
	{"status in [OPEN, DOING]", func(t *task) bool { return t.status == "OPEN" || t.status == "DOING" }},
	{"status = DONE", func(t *task) bool { return t.status == "DONE" }},
	{"size >= 3", func(t *task) bool { return t.size >= 3 }},
	{"status != DROPPED and size < 4", func(t *task) bool { return t.status != "DROPPED" && t.size < 4 }},
	{"title = null", func(t *task) bool { return t.title == "" }},
}

// drawRules draws rules.
func drawRules(random executors.Random) *rules {
	r := &rules{Random: random}
	is := func() bool { return r.IntN(2) == 1 }
	r.isOptional, r.inIndex, r.teamCopy = is(), is(), is()
	r.inIndex = r.inIndex || r.isOptional
	r.byMembers = !r.isOptional && is()
	r.cascades = !r.inIndex && !r.teamCopy && is()
	r.hasSequence, r.mustExist, r.hasDefaults, r.ignoreCase = !r.isOptional && is(), is(), is(), is()
	if is() {
		least, most := -1+r.IntN(3), 4+r.IntN(3)
		r.least, r.most = &least, &most
	}
	r.unique = []string{"", "all", "team"}[r.IntN(3)]
	if r.isOptional && r.unique == "team" {
		r.unique = "all"
	}
	if r.uniqueOf = filters[0]; is() {
		r.uniqueOf = filters[r.IntN(len(filters))]
	}
	if !r.inIndex {
		r.counters = []counter{{name: "taskCount", where: filters[0]}}
	}
	for i := range r.IntN(4) {
		c := counter{name: fmt.Sprint("number", i), where: filters[r.IntN(len(filters))], ofSize: is()}
		c.max = []string{"", "3", "limit"}[r.IntN(3)]
		if c.ofSize && is() {
			c.min = "0"
		}
		isSame := func(o counter) bool { return o.where.text == c.where.text && o.ofSize == c.ofSize }
		if !slices.ContainsFunc(r.counters, isSame) {
			r.counters = append(r.counters, c)
		}
	}
	if is() {
		r.to = map[string][]string{}
		for i, from := range statuses {
			r.to[from] = append(slices.Clone(statuses[:i]), statuses[i+1:]...)[:r.IntN(4)]
		}
		r.to[statuses[0]] = statuses[1:]
		if is() {
			r.starts = statuses[:1+r.IntN(2)]
		}
	}
	r.condition = filters[1+r.IntN(len(filters)-1)]
	return r
}

// sdl returns the schema.
func (r *rules) sdl() string {
	callers := `["PUBLIC"]`
	if r.byMembers {
		callers = `["MEMBER"]`
	}
	return r.actions() + r.statusText() + r.teamText() + fmt.Sprintf(`
type Query { node(id: ID!): Node }
interface Node { id: ID! }
type Member implements Node @item(pk: "TEAM#{teamId}", sk: "MEMBER#{userId}", maxBytes: 512)
  @mutable(create: ["PUBLIC"], delete: ["PUBLIC"]) { id: ID! teamId: ID! userId: String! }
type Task implements Node @item(pk: "TASK#{id}", sk: "TASK#{id}", maxBytes: 1024)%s
  @mutable(create: %[2]s, update: %[2]s, delete: %[2]s) {
  id: ID!
%s}
`, r.taskPlace(), callers, r.taskFields())
}

// isFixed reports whether a task stays in its team.
func (r *rules) isFixed() bool { return r.byMembers || r.hasSequence }

// givers are who may give the team of a task.
func (r *rules) givers() string {
	if r.byMembers {
		return `["VIEWER"]`
	}
	return `["PUBLIC"]`
}

func (r *rules) taskPlace() string {
	place := "\n  @copy"
	if r.inIndex {
		place = "\n  @index"
	}
	place += `(pk: "TEAM#{teamId}", sk: "TASK#{id}")`
	if r.byMembers {
		place += "\n  " + `@allow(to: ["MEMBER"], member: {pk: "TEAM#{teamId}", sk: "MEMBER#{viewer}"})`
	}
	return place
}

func (r *rules) taskFields() string {
	var b strings.Builder
	add := func(is bool, text string) {
		if is {
			b.WriteString(text)
		}
	}
	b.WriteString("  teamId: ID")
	add(!r.isOptional, "!")
	add(r.isFixed(), ` @mutable(create: `+r.givers()+`)`)
	b.WriteString("\n  status: Status!")
	add(r.hasDefaults, " @default(value: OPEN)")
	b.WriteString("\n  size: Int!")
	add(r.hasDefaults, " @default(value: 1)")
	add(r.least != nil, r.sizes())
	b.WriteString("\n  title: String")
	add(r.unique != "", " @unique("+r.uniqueKey()+fmt.Sprintf("ignoreCase: %v)", r.ignoreCase))
	b.WriteString("\n  parentId: ID")
	add(r.mustExist, " @exists")
	b.WriteString("\n  parent: Task @get(pk: \"TASK#{parentId}\", sk: \"TASK#{parentId}\")\n")
	add(r.hasSequence, "  number: Int! @sequence(of: \"teamId\", last: \"last\")\n")
	return b.String()
}

func (r *rules) sizes() string {
	if r.least == nil {
		return ""
	}
	return fmt.Sprintf(" @check(min: %d, max: %d)", *r.least, *r.most)
}

func (r *rules) uniqueKey() string {
	text := ""
	if r.unique == "team" {
		text = `key: "TITLE#{teamId}#{title}", `
	}
	if r.uniqueOf.text != "" {
		text += fmt.Sprintf("where: %q, ", r.uniqueOf.text)
	}
	return text
}

func (r *rules) statusText() string {
	text := "enum Status {\n"
	for _, s := range statuses {
		text += "  " + s
		if to := r.to[s]; len(to) > 0 || slices.Contains(r.starts, s) {
			text += fmt.Sprintf(" @transitions(to: [%s], start: %v)", quoted(to), slices.Contains(r.starts, s))
		}
		text += "\n"
	}
	return text + "}\n"
}

func (r *rules) teamText() string {
	text := `type Team implements Node @item(pk: "TEAM#{id}", sk: "TEAM#{id}", maxBytes: 1024)`
	if r.teamCopy {
		text += ` @copy(pk: "TEAMS", sk: "{id}")`
	}
	text += ` @mutable(create: ["PUBLIC"], update: ["PUBLIC"], delete: ["PUBLIC"]) {
  id: ID!
  limit: Int
`
	if r.hasSequence {
		text += "  last: Int! @mutable @default(value: 0)\n"
	}
	for _, c := range r.counters {
		text += fmt.Sprintf("  %s: Int! @counts(field: \"tasks\"", c.name)
		for _, a := range [][2]string{{"where", c.where.text}, {"of", c.of()}, {"min", c.min}, {"max", c.max}} {
			if a[1] != "" {
				text += fmt.Sprintf(", %s: %q", a[0], a[1])
			}
		}
		text += ")\n"
	}
	tasks := `  tasks: [Task!] @query(pk: "TEAM#{id}", sk: "TASK#", atMost: 20`
	if r.inIndex {
		tasks = `  tasks: TaskConnection @query(index: "GSI1", pk: "TEAM#{id}", sk: "TASK#"`
	}
	if r.cascades {
		tasks += ", onDelete: DELETE"
	}
	tasks += ")"
	if r.byMembers {
		tasks += ` @allow(to: ["VIEWER"])`
	}
	return text + tasks + "\n}\n"
}

func (c counter) of() string {
	if c.ofSize {
		return "size"
	}
	return ""
}

// actions are a change under a condition, a number that grows, two tasks at once, and a change with a deletion.
func (r *rules) actions() string {
	allow, check := "@allow", ""
	if r.byMembers {
		allow = `@allow(to: ["VIEWER"])`
		check = `@step(check: "Member", key: {teamId: "{%s.teamId}", userId: "{viewer}"}, error: "NOT_MEMBER", message: "no")`
	}
	of := func(step string) string {
		if check == "" {
			return ""
		}
		return fmt.Sprintf(check, step)
	}
	team := `take: ["size", "status"], set: {teamId: "{teamId}"}`
	second := `set: {teamId: "{teamId}", size: "{size}", status: "{status}"}`
	if r.hasDefaults {
		second = `set: {teamId: "{teamId}"}`
	}
	return fmt.Sprintf(`type Mutation {
  move(input: MoveInput!): MovePayload %[1]s
    @step(update: "Task", set: {status: "{status}"}, if: %[2]q, error: "NOT_SO", message: "no") %[3]s
  grow(input: GrowInput!): GrowPayload %[1]s
    @step(update: "Task", add: {size: "{by}"}, if: %[2]q, error: "NOT_SO", message: "no") %[3]s
  pair(input: PairInput!): PairPayload %[1]s
    @step(create: "Task", as: "one", %[4]s) %[5]s
    @step(create: "Task", as: "two", %[7]s)
  swap(input: SwapInput!): SwapPayload %[1]s
    @step(update: "Task", as: "kept", set: {status: "{status}"}) %[6]s
    @step(delete: "Task", as: "gone", if: %[2]q, error: "NOT_SO", message: "no")
}
`, allow, r.condition.text, of("task"), team, of("one"), of("kept"), second)
}
