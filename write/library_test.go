package write_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// library is a design with items of two libraries: Task is an entity of ElectroDB, with a value in keys only beside it,
// and User a model of OneTable.
var library = design.MustDesign(
	&stored.Layout{
		PK: keys.Named("pk"), SK: keys.Named("sk"), Type: "type", Delimiter: "#",
		Indexes: []stored.IndexLayout{{Name: "gsi1", PK: keys.Named("gsi1pk"), SK: keys.Named("gsi1sk")}},
	},
	[]*design.Type{
		{
			Name: "Task", Value: "task", MaxBytes: 4096, Identity: []string{"team", "taskId"},
			Attributes: []design.Attribute{
				{Name: "team", Kind: keys.String, NonNull: true}, {Name: "taskId", Kind: keys.String, NonNull: true},
				{Name: "title", Kind: keys.String}, {Name: "points", Kind: keys.Int}, {Name: "status", Kind: keys.String},
			},
			Constants: []design.Constant{
				design.StringConstant("__edb_v__", "1"), design.NumberConstant("n", "2"), design.BooleanConstant("b", "true"),
			},
			Item: shapeOf("$app#team_{team:lower}", "$task_1#taskid_{taskId:lower}"),
			Indexes: []design.Index{{
				Name: "gsi1", Shards: 1,
				Shape: shapeOf("$app#status_{status:lower}", "$task_1#title_{title?:lower}#points_{points?:05}"),
			}},
		},
		{
			Name: "User", MaxBytes: 4096, Identity: []string{"name", "id"},
			Attributes: []design.Attribute{
				{Name: "name", Kind: keys.String, NonNull: true, InKeys: true}, {Name: "id", Kind: keys.String, NonNull: true},
				{Name: "email", Kind: keys.String}, {Name: "role", Kind: keys.String, InKeys: true},
			},
			Uniques: []design.Unique{{
				Attribute: "email", Key: keys.MustTemplate("_unique#User#email#{email}"), SK: keys.MustTemplate("_unique#"),
				Claim: "_Unique", Holder: "userId",
			}},
			Item:    shapeOf("user#{name}", "user#{id}"),
			Indexes: []design.Index{{Name: "gsi1", Shards: 1, Shape: shapeOf("role:{role}", "{name}_{id}")}},
		},
		{
			Name: "Note", MaxBytes: 4096, Identity: []string{"id"}, Item: shapeOf("note#{id}", "note#"),
			Attributes: []design.Attribute{
				{Name: "id", Kind: keys.String, NonNull: true}, {Name: "tag", Kind: keys.String},
				{Name: "word", Kind: keys.String}, {Name: "text", Kind: keys.String},
			},
			Indexes: []design.Index{{Name: "gsi1", Shards: 1, Shape: shapeOf("tag#{tag}", "{word}")}},
		},
		{
			Name: "Version", MaxBytes: 4096, Identity: []string{"doc", "number"}, Item: shapeOf("doc#{doc}", "v#{number:03}"),
			Attributes: []design.Attribute{
				{Name: "doc", Kind: keys.String, NonNull: true}, {Name: "number", Kind: keys.Int, NonNull: true},
			},
			Constants: []design.Constant{design.StringConstant("_v", "1")},
			Copies:    []design.Copy{{Shape: shapeOf("doc#{doc}", "latest"), Latest: "number"}},
		},
	}, nil,
).WithMutations([]*design.Mutation{
	{Name: "updateNote", Kind: design.UpdateMutation, Type: "Note", Inputs: []string{"tag", "word", "text"}, HasID: true},
	{Name: "createVersion", Type: "Version", Object: "version", Inputs: []string{"doc", "number"}},
	{Name: "createTask", Type: "Task", Object: "task", Inputs: []string{"team", "taskId", "title", "points", "status"}},
	{Name: "updateTask", Kind: design.UpdateMutation, Type: "Task", Inputs: []string{"title", "points", "status"},
		HasID: true},
	{Name: "deleteTask", Kind: design.DeleteMutation, Type: "Task", HasID: true},
	{Name: "createUser", Type: "User", Object: "user", Inputs: []string{"name", "id", "email", "role"}},
	{Name: "updateUser", Kind: design.UpdateMutation, Type: "User", Inputs: []string{"email", "role"}, HasID: true},
	{Name: "deleteUser", Kind: design.DeleteMutation, Type: "User", HasID: true},
}, nil)

func shapeOf(pk, sk string) keys.Shape {
	return keys.Shape{PK: keys.MustTemplate(pk), SK: keys.MustTemplate(sk)}
}

// TestWritesBesideLibraries: what is written is what the libraries write, byte by byte, and what they have written can
// be changed and deleted. The rows are attributes as the table has them.
func TestWritesBesideLibraries(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, table.SchemaOf(library))
	task := func(name string) keys.ID { return keys.NewID("Task", "Red Team", name) }
	user := func(id string) keys.ID { return keys.NewID("User", "Ann", id) }
	const claim = `pk=_unique#User#email#%s sk=_unique# type=_Unique`
	for _, step := range []struct {
		// put is an item that the library writes.
		put      string
		mutation string
		in       write.Input
		errors   string
		want     []string // the rows that there are afterwards
	}{
		{
			mutation: "createTask", in: given("team", "Red Team", "taskId", "T1", "title", "Straße", "points", 7, "status",
				"OPEN"),
			want: []string{"__edb_v__=1 b=true gsi1pk=$app#status_open gsi1sk=$task_1#title_straße#points_00007 n=2 " +
				"pk=$app#team_red team points=7 sk=$task_1#taskid_t1 status=OPEN taskId=T1 team=Red Team title=Straße type=task"},
		},
		{
			mutation: "updateTask", in: of(task("T1"), 0, given("title", "İΣ", "points", nil)),
			want: []string{"__edb_v__=1 b=true gsi1pk=$app#status_open gsi1sk=$task_1#title_i̇ς#points_ n=2 " +
				"pk=$app#team_red team sk=$task_1#taskid_t1 status=OPEN taskId=T1 team=Red Team title=İΣ type=task"},
		},
		{mutation: "updateTask", in: of(task("t1"), 0, given("title", "X")), errors: "NOT_FOUND"},
		{
			mutation: "updateTask", in: of(task("T1"), 0, given("title", nil, "status", nil)),
			want: []string{"__edb_v__=1 b=true n=2 pk=$app#team_red team sk=$task_1#taskid_t1 taskId=T1 team=Red Team " +
				"type=task"},
		},
		{mutation: "deleteTask", in: write.Input{ID: task("T1")}, want: nil},
		{ // Another version of the entity is not of this type.
			put:      "__edb_v__=2 b=true n=2 pk=$app#team_red team sk=$task_1#taskid_t1 taskId=T1 team=Red Team type=task",
			mutation: "updateTask", in: of(task("T1"), 0, given("title", "X")), errors: "NOT_FOUND",
			want: []string{"__edb_v__=2 b=true n=2 pk=$app#team_red team sk=$task_1#taskid_t1 taskId=T1 team=Red Team " +
				"type=task"},
		},
	} {
		run(t, e, step.put, step.mutation, step.in, step.errors, step.want)
	}
	e = tabletest.Start(t, table.SchemaOf(library))
	ann := "email=a@x gsi1pk=role:op gsi1sk=Ann_u1 id=u1 pk=user#Ann sk=user#u1 type=User"
	for _, put := range []string{ann, fmt.Sprintf(claim, "a@x")} {
		put1(t, e, put)
	}
	report := checked(t, e)
	if !report.Clean() {
		t.Errorf("the library's items: %+v", report.Violations)
	}
	for _, step := range []struct {
		put, mutation string
		in            write.Input
		errors        string
		want          []string
	}{
		{
			mutation: "createUser", in: given("name", "Bob", "id", "u2", "email", "a@x"), errors: "TAKEN",
			want: []string{ann, fmt.Sprintf(claim, "a@x")},
		},
		{ // The claim of the library has no holder.
			mutation: "updateUser", in: of(user("u1"), 0, given("email", "b@x", "role", "admin")),
			want: []string{
				"email=b@x gsi1pk=role:admin gsi1sk=Ann_u1 id=u1 pk=user#Ann sk=user#u1 type=User",
				fmt.Sprintf(claim, "b@x") + " userId=Ann:u1",
			},
		},
		{mutation: "deleteUser", in: write.Input{ID: user("u1")}, want: nil},
		{
			mutation: "createUser", in: given("name", "Ann", "id", "u1", "role", "op"),
			want: []string{"gsi1pk=role:op gsi1sk=Ann_u1 id=u1 pk=user#Ann sk=user#u1 type=User"},
		},
	} {
		run(t, e, step.put, step.mutation, step.in, step.errors, step.want)
	}
	if report := checked(t, e); !report.Clean() {
		t.Errorf("the table is not consistent: %+v", report.Violations)
	}
}

// TestHalfAnEntry: OneTable writes each key of an index whose values are set, also without the other one. Such an item
// is not in the index, nothing is wrong with it, and a change of something else keeps the attribute.
func TestHalfAnEntry(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, table.SchemaOf(library))
	id := keys.NewID("Note", "n1")
	put1(t, e, "gsi1pk=tag#x id=n1 pk=note#n1 sk=note# tag=x type=Note")
	if report := checked(t, e); !report.Clean() {
		t.Errorf("the library's item: %+v", report.Violations)
	}
	run(t, e, "", "updateNote", of(id, 0, given("text", "hello")), "",
		[]string{"gsi1pk=tag#x id=n1 pk=note#n1 sk=note# tag=x text=hello type=Note"})
	run(t, e, "", "updateNote", of(id, 0, given("word", "w")), "",
		[]string{"gsi1pk=tag#x gsi1sk=w id=n1 pk=note#n1 sk=note# tag=x text=hello type=Note word=w"})
}

// TestConstantsOfLatest: the copy of the latest object has the constants, also if no object had it before.
func TestConstantsOfLatest(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, table.SchemaOf(library))
	run(t, e, "", "createVersion", given("doc", "d", "number", 1), "", []string{
		"_v=1 doc=d number=1 pk=doc#d sk=latest type=Version",
		"_v=1 doc=d number=1 pk=doc#d sk=v#001 type=Version",
	})
	run(t, e, "", "createVersion", given("doc", "d", "number", 2), "", []string{
		"_v=1 doc=d number=1 pk=doc#d sk=v#001 type=Version",
		"_v=1 doc=d number=2 pk=doc#d sk=latest type=Version",
		"_v=1 doc=d number=2 pk=doc#d sk=v#002 type=Version",
	})
	if report := checked(t, e); !report.Clean() {
		t.Errorf("the table is not consistent: %+v", report.Violations)
	}
}

func run(t *testing.T, e *tabletest.Engine, put, mutation string, in write.Input, wantErrors string, want []string) {
	t.Helper()
	if put != "" {
		put1(t, e, put)
	}
	out, err := write.Mutate(write.NewContext(t.Context(), store{e.Table}), library, library.Mutation(mutation), in)
	if err != nil {
		t.Fatalf("%s: %v", mutation, err)
	}
	if got := userErrors(out); wantErrors == "" && got != "" || !strings.Contains(got, wantErrors) {
		t.Errorf("%s: %s, want %q", mutation, got, wantErrors)
	}
	if got := rows(t, e); wantErrors != "NOT_FOUND" && !slices.Equal(got, want) {
		t.Errorf("%s: the table has\n%s\nwant\n%s", mutation, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func checked(t *testing.T, e *tabletest.Engine) check.Report {
	t.Helper()
	report := must(check.Table(context.WithoutCancel(t.Context()), scanner{admin.Scanner{Table: e.Table}},
		check.Options{Design: library}))
	return report
}

// put1 puts an item with Strings, and Numbers and a Bool where the attribute is named n, points or b.
func put1(t *testing.T, e *tabletest.Engine, row string) {
	t.Helper()
	it := map[string]map[string]any{}
	for _, part := range strings.Split(strings.NewReplacer("red team", "red_team", "Red Team", "Red_Team").Replace(row),
		" ") {
		name, text, _ := strings.Cut(part, "=")
		text = strings.NewReplacer("red_team", "red team", "Red_Team", "Red Team").Replace(text)
		switch name {
		case "n", "points":
			it[name] = map[string]any{"N": text}
		case "b":
			it[name] = map[string]any{"BOOL": text == "true"}
		default:
			it[name] = map[string]any{"S": text}
		}
	}
	line := must(json.Marshal(map[string]any{"Item": it}))
	e.LoadLines(t, bytes.NewReader(line))
}

// rows returns the items of the table, sorted.
func rows(t *testing.T, e *tabletest.Engine) []string {
	t.Helper()
	var exported bytes.Buffer
	must(admin.Export(t.Context(), e.Table, &exported))
	var all []string
	for line := range strings.Lines(exported.String()) {
		var stored struct{ Item map[string]map[string]any }
		if err := json.Unmarshal([]byte(line), &stored); err != nil {
			t.Fatal(err)
		}
		var parts []string
		for name, v := range stored.Item {
			for _, value := range v {
				parts = append(parts, fmt.Sprintf("%s=%v", name, value))
			}
		}
		slices.Sort(parts)
		all = append(all, strings.Join(parts, " "))
	}
	slices.Sort(all)
	return all
}
