package design_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// foreign is a design with the keys of other libraries: ElectroDB's composites and template, and those of OneTable.
var foreign = design.MustDesign(
	&stored.Layout{PK: keys.Named("pk"), SK: keys.Named("sk"), Type: "type", Delimiter: "#"},
	[]*design.Type{
		{
			Name: "Task", Identity: []string{"team", "taskId"},
			Attributes: []design.Attribute{
				{Name: "team", Kind: keys.String}, {Name: "taskId", Kind: keys.String}, {Name: "title", Kind: keys.String},
				{Name: "points", Kind: keys.Int}, {Name: "status", Kind: keys.Enum}, {Name: "day", Kind: keys.Date},
			},
			Item: shape("$app#team_{team:lower}", "$task_1#taskid_{taskId:lower}"),
			Indexes: []design.Index{
				{Name: "GSI1", Shards: 1, Shape: shape("$APP#STATUS_{status?:upper}",
					"$task_1#title_{title?:lower}#points_{points?:05}")},
				{Name: "GSI2", Shards: 1, Shape: shape("t_{team:lower}s_{status:lower}", "{day}-{title:lower}x")},
			},
		},
		{
			Name: "Account", Identity: []string{"name", "id"},
			Attributes: []design.Attribute{
				{Name: "name", Kind: keys.String}, {Name: "id", Kind: keys.String}, {Name: "plan", Kind: keys.Enum},
				{Name: "day", Kind: keys.Date},
			},
			Item:    shape("account#{name}{id}", "account#"),
			Indexes: []design.Index{{Name: "GSI1", Shards: 1, Shape: shape("plan#{plan}-{name}", "{day}{name}")}},
		},
	}, nil)

func attributes(it item.Item) func(string) keys.Value {
	return func(name string) keys.Value { return keys.AttributeValue(it, name) }
}

// These are keys that the libraries have written: ElectroDB 3.9.3 and OneTable 2.7.7.
func TestKeysOfLibraries(t *testing.T) {
	for template, cases := range map[string]map[string][]string{
		"$app#team_{team:lower}": {"$app#team_red team": {"team", "Red Team"}},
		"$THING_1#TITLE_{title:upper}": {
			"$THING_1#TITLE_STRASSE FI ʼN": {"title", "straße ﬁ ŉ"},
		},
		"$task_1#title_{title:lower}": {
			"$task_1#title_i̇stanbul οδος straße": {"title", "İstanbul ΟΔΟΣ Straße"},
		},
		"t_{team:lower}s_{Status:lower}":   {"t_red teams_closed": {"team", "Red Team", "Status", "Closed"}},
		"{closedAt:lower}-{title:lower}x":  {"2020-01-01-neux": {"closedAt", "2020-01-01", "title", "Neu"}},
		"{closedAt}{points:05}_end":        {"C00004_end": {"closedAt", "C", "points", "4"}},
		"account#{name}{id}":               {"account#Acme01A": {"name", "Acme", "id", "01A"}},
		"user#{email}#{count:06}":          {"user#Foo@B.com#000042": {"email", "Foo@B.com", "count", "42"}},
		"$app#status_{status?:lower}":      {"$app#status_": nil, "$app#status_open": {"status", "Open"}},
		"{level:04}#{name?:lower}":         {"0007#": {"level", "7"}, "0005#pika": {"level", "5", "name", "Pika"}},
		"_unique#{accountId}#User#{value}": {"_unique#01A#User#sc": {"accountId", "01A", "value", "sc"}},
		"$thing_1#title_{title?:lower}#points_{points?:05}#closedat_{closedAt?:lower}": {
			"$thing_1#title_":                            nil,
			"$thing_1#title_a#points_00001#closedat_x":   {"title", "A", "points", "1", "closedAt", "X"},
			"$thing_1#title_a#points_":                   {"title", "A", "closedAt", "X"},
			"$thing_1#title_b#points_00001#closedat_":    {"title", "B", "points", "1", "closedAt", ""},
			"$thing_1#title_#points_00001#closedat_2021": {"title", "", "points", "1", "closedAt", "2021"},
		},
	} {
		for want, pairs := range cases {
			it := item.Item{}
			for i := 0; i < len(pairs); i += 2 {
				it = append(it, text(pairs[i], pairs[i+1]))
			}
			got, err := keys.MustTemplate(template).Build(attributes(it))
			if err != nil || got != want {
				t.Errorf("%s: %q, %v, want %q", template, got, err, want)
			}
			if _, ok := keys.MustTemplate(template).Match(want); !ok {
				t.Errorf("%s does not match %q", template, want)
			}
		}
	}
}

// toLowerCase and toUpperCase of Node.js 20.20.
func TestCase(t *testing.T) {
	for value, want := range map[string][2]string{
		"Red Team": {"red team", "RED TEAM"}, "": {"", ""}, "@[`{": {"@[`{", "@[`{"},
		"İ": {"i̇", "İ"}, "ı": {"ı", "I"}, "ß": {"ß", "SS"}, "ẞ": {"ß", "ẞ"}, "ǅ": {"ǆ", "Ǆ"}, "ﬁ": {"ﬁ", "FI"},
		"ŉ": {"ŉ", "ʼN"}, "ΐ": {"ΐ", "\u0399\u0308\u0301"}, "\u212a": {"k", "\u212a"},
		"ᾳ": {"ᾳ", "ΑΙ"}, "ᾼ": {"ᾳ", "ΑΙ"}, "𐐀": {"𐐨", "𐐀"},
		"Ა": {"ა", "Ა"}, "ΟΔΟΣ": {"οδος", "ΟΔΟΣ"}, "ΟΔΟΣ.": {"οδος.", "ΟΔΟΣ."}, "ΑΣ ΣΑ": {"ας σα", "ΑΣ ΣΑ"},
		"Σ": {"σ", "Σ"}, "1Σ": {"1σ", "1Σ"}, "AΣ\u0301": {"aς\u0301", "AΣ\u0301"}, "AΣ\u0301b": {"aσ\u0301b", "AΣ\u0301B"},
		"A\u00adΣ": {"a\u00adς", "A\u00adΣ"}, "aΣ:b": {"aσ:b", "AΣ:B"},
	} {
		if got := [2]string{keys.Lower.Of(value), keys.Upper.Of(value)}; got != want {
			t.Errorf("%q: %+q, want %+q", value, got, want)
		}
	}
}

// valuesIn returns the values of a key by variable, "?" for one that does not follow from the key.
func valuesIn(template keys.Template, key string) string {
	values, ok := template.Match(key)
	if !ok {
		return "no match"
	}
	shown := template.Variables()
	for i, name := range shown {
		if template.Has(name) || template.Bucket(name) > 0 {
			shown[i] += "=" + values[i]
		} else {
			shown[i] += "=?"
		}
	}
	return strings.Join(shown, " ")
}

// A value is read back only where its beginning and its end are known.
func TestValuesOfOpenKeys(t *testing.T) {
	task, account := foreign.Type("Task"), foreign.Type("Account")
	for _, tt := range []struct {
		template  keys.Template
		key, want string
	}{
		{task.Item.PK, "$app#team_red team", "team=?"},
		{task.Indexes[0].SK, "$task_1#title_", "title=? points="},
		{task.Indexes[0].SK, "$task_1#title_a#points_", "title=? points="},
		{task.Indexes[0].SK, "$task_1#title_a#points_00042", "title=? points=42"},
		{task.Indexes[0].SK, "$task_1#title_#points_00042", "title=? points=42"},
		{task.Indexes[0].SK, "$task_1#title_a", "no match"},
		{task.Indexes[0].SK, "$task_1#title_a#points_1", "no match"},
		{task.Indexes[1].PK, "t_red teams_open", "team=? status=?"},
		{task.Indexes[1].SK, "2020-01-01-a-bx", "day=2020-01-01 title=?"},
		{task.Indexes[1].SK, "2020-01-01-x", "no match"},
		{task.Indexes[1].SK, "2020-01-01x", "no match"},
		{account.Item.PK, "account#Acme01A", "name=? id=?"},
		{account.Item.PK, "account#A", "no match"},
		{account.Item.SK, "account#", ""},
		{account.Indexes[0].PK, "plan#FREE-a-b", "plan=FREE name=a-b"},
		{account.Indexes[0].SK, "2020-01-01a", "day=2020-01-01 name=a"},
	} {
		if got := valuesIn(tt.template, tt.key); got != tt.want {
			t.Errorf("%s of %q: %s, want %s", tt.template, tt.key, got, tt.want)
		}
	}
}

// With a delimiter that is in times, a key is divided behind each time, also behind one that follows another value.
func TestDelimiterInTimes(t *testing.T) {
	layout := &stored.Layout{PK: keys.Named("pk"), SK: keys.Named("sk"), Type: "type", Delimiter: ":"}
	a := "2024-01-15T10:30:00.000Z"
	for _, tt := range []struct{ pk, key, want string }{
		{"{root}:x{b}-{at}:{n:03}", "r:xb-" + a + ":007", "root=r b=b at=" + a + " n=7"},
		{"x{b}{at}:{root}", "xb-" + a + ":r", "b=b- at=" + a + " root=r"},
		{"{at}{b}:{root}", a + "b:r", "at=" + a + " b=b root=r"},
		{"{at}{seen}x{b}:{root}", a + a + "xb:r", "at=" + a + " seen=" + a + " b=b root=r"},
		{"{b}x{root}:{at}", "bxr:" + a, "b=? root=? at=" + a},
		{"x{b}-{at:hour}:{root}", "xb-2024-01-15T10:r", "b=b at=2024-01-15T10 root=r"},
	} {
		d := design.MustDesign(layout, []*design.Type{{
			Name: "T", Identity: []string{"root"},
			Attributes: []design.Attribute{
				{Name: "root", Kind: keys.String}, {Name: "b", Kind: keys.String}, {Name: "n", Kind: keys.Int},
				{Name: "at", Kind: keys.Time}, {Name: "seen", Kind: keys.Time},
			},
			Item: keys.Shape{PK: keys.MustDelimited(":", tt.pk), SK: keys.MustDelimited(":", "t")},
		}}, nil)
		if got := valuesIn(d.Type("T").Item.PK, tt.key); got != tt.want {
			t.Errorf("%s of %q: %s, want %s", tt.pk, tt.key, got, tt.want)
		}
	}
}

// An entry is there if all values are set that must be, and any at all.
func TestEntriesOfOptionalValues(t *testing.T) {
	task := foreign.Type("Task")
	for _, tt := range []struct {
		it   item.Item
		want keys.Key
	}{
		{item.Item{}, keys.Key{}},
		{item.Item{text("status", "open")}, keys.Key{PK: "$APP#STATUS_OPEN", SK: "$task_1#title_"}},
		{item.Item{text("title", "X")}, keys.Key{PK: "$APP#STATUS_", SK: "$task_1#title_x#points_"}},
	} {
		got, _, err := task.IndexKey(task.Indexes[0], attributes(tt.it))
		if err != nil || got != tt.want {
			t.Errorf("%v: %v, %v, want %v", tt.it, got, err, tt.want)
		}
	}
}

// Whatever the values are, the key that is built agrees with them, matches its template, and shows the values that the
// template says it has.
func TestOpenTemplates(t *testing.T) {
	var templates []keys.Template
	for _, typ := range foreign.Types {
		for _, ix := range typ.Indexes {
			templates = append(templates, typ.Item.PK, typ.Item.SK, ix.PK, ix.SK)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		template := rapid.SampledFrom(templates).Draw(t, "template")
		draw := rapid.StringOfN(rapid.SampledFrom([]rune("aAbß-x_1Σİ.")), 1, 5, -1)
		it := item.Item{
			text("status", rapid.SampledFrom([]string{"OPEN", "Closed"}).Draw(t, "status")),
			text("plan", rapid.SampledFrom([]string{"FREE", "PAID"}).Draw(t, "plan")),
			text("day", "2020-02-02"), number("points", "42"),
		}
		for _, name := range []string{"team", "taskId", "title", "name", "id"} {
			it = append(it, text(name, draw.Draw(t, name)))
		}
		if rapid.Bool().Draw(t, "unset") && strings.Contains(template.String(), "?") {
			name := rapid.SampledFrom([]string{"title", "points", "status"}).Draw(t, "without")
			it = slices.DeleteFunc(it, func(a item.Attribute) bool { return a.Name == name })
		}
		key, err := template.Build(attributes(it))
		if err != nil {
			t.Fatal(err)
		}
		typ := &design.Type{Item: keys.Shape{PK: template}}
		if !typ.Agrees(append(item.Item{text("PK", key)}, it...)) {
			t.Fatalf("%q does not agree with %s of %v", key, template, it)
		}
		values, ok := template.Match(key)
		if !ok {
			t.Fatalf("%q does not match %s", key, template)
		}
		for i, name := range template.Variables() {
			if v := attributes(it)(name); template.Has(name) && v.IsSet() && values[i] != "" && values[i] != it.Text(name) &&
				name != "points" {
				t.Fatalf("%s in %q is %q, not %q", name, key, values[i], it.Text(name))
			}
		}
		parts, ok := template.Decode(key)
		joined := ""
		for _, p := range parts {
			joined += p.Text
		}
		if !ok || joined != key {
			t.Fatalf("%q is decoded as %v", key, parts)
		}
	})
}

// Two partitions are the same only if some values make them so.
func TestSamePartitionOfOpenTemplates(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"$app#team_{a:lower}", "$app#id_{a:lower}", false},
		{"$app#team_{a:lower}", "$app#team_{b:lower}#x_{c:lower}", false},
		{"$app#team_{a?:lower}#x_{c}", "$app#team_{b:lower}", true},
		{"{a}{b}", "status_{s}", true},
		{"{a}-{b}", "status_x", false},
		{"{a}-{b}", "status-x", true},
		{"x{a}_y", "x{b}_z", false},
		{"x{a}_y", "x{b}_y", true},
		{"a{x}#b", "a{x}#c{y:lower}", false},
	} {
		if got := keys.SamePartition(keys.MustTemplate(tt.a), keys.MustTemplate(tt.b)); got != tt.want {
			t.Errorf("%s and %s: %v", tt.a, tt.b, got)
		}
	}
}
