package check_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// files is the design of a table that another program fills.
var files = design.MustDesign(
	&stored.Layout{PK: keys.Named("pk"), SK: keys.Named("sk"), Type: "kind", Delimiter: "#"},
	[]*design.Type{{
		Name: "File", Identity: []string{"id"}, MaxBytes: 512, Item: shape("FILE#{id}", "FILE#{id}"),
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.String}, {Name: "folder", Kind: keys.String, Stored: "dir"},
			{Name: "title", Kind: keys.String},
		},
		Copies: []design.Copy{{Shape: shape("FOLDER#{folder}", "FILE#{id}")}},
	}, {
		Name: "Note", Identity: []string{"id"}, MaxBytes: 512, Item: shape("NOTE#{id}", "NOTE#{id}"),
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.String},
			{Name: "removedAt", Kind: keys.Time, Stored: "deletedAt", As: keys.Seconds},
		},
	}}, nil)

// startFiles returns an engine with the items of a file and of its copy, beside those that they have anyway.
func startFiles(t *testing.T, base, copied string) *engine {
	t.Helper()
	e := tabletest.Start(t, table.SchemaOf(files))
	e.LoadLines(t, strings.NewReader(
		`{"Item":{"pk":{"S":"FILE#a"},"sk":{"S":"FILE#a"},"kind":{"S":"File"},"dir":{"S":"x"},`+base+`}}`+"\n"+
			`{"Item":{"pk":{"S":"FOLDER#x"},"sk":{"S":"FILE#a"},"kind":{"S":"File"},"dir":{"S":"x"},`+copied+`}}`+"\n"))
	return &engine{e, admin.Scanner{Table: e.Table}}
}

// copyAsStored returns the attributes of the copy that only some items have, in DynamoDB JSON.
func (e *engine) copyAsStored(t *testing.T) map[string]string {
	t.Helper()
	name := e.Engine.Table.Name()
	key := must(attributevalue.UnmarshalMapJSON([]byte(`{"pk":{"S":"FOLDER#x"},"sk":{"S":"FILE#a"}}`)))
	out := must(e.Engine.Table.Client().GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &name, Key: key}))
	for _, known := range []string{"pk", "sk", "kind", "dir", "id"} {
		delete(out.Item, known)
	}
	texts := map[string]string{}
	for name, v := range out.Item {
		text := must(attributevalue.MarshalJSON(v))
		texts[name] = string(text)
	}
	return texts
}

// TestAttributesOfOtherPrograms: a repair changes only what the schema declares, whatever else the items have.
func TestAttributesOfOtherPrograms(t *testing.T) {
	const others = `"tags":{"SS":["a","b"]},"sizes":{"NS":["1"]},"deletedAt":{"NULL":true}`
	e := startFiles(t,
		`"title":{"S":"new"},"gsi9pk":{"S":"base"},`+others, `"title":{"S":"old"},"gsi8pk":{"S":"copy"},`+others)
	report, err := check.Repair(t.Context(), e.Scanner, check.Options{Design: files})
	if err != nil || len(report.Repaired) != 0 || len(report.Violations) != 1 ||
		report.Violations[0].Needs != "--only=COPY_DIFFERS" {
		t.Errorf("repaired %s, left %+v, %v", describe(report.Repaired), report.Violations, err)
	}
	report, err = check.Repair(t.Context(), e.Scanner,
		check.Options{Design: files, Scope: check.Scope{Only: []check.Kind{check.CopyDiffers}}})
	if err != nil || len(report.Repaired) != 1 || !report.Clean() {
		t.Errorf("repaired %s, left %s, %v", describe(report.Repaired), describe(report.Violations), err)
	}
	want := map[string]string{
		"deletedAt": `{"NULL":true}`, "gsi8pk": `{"S":"copy"}`, "sizes": `{"NS":["1"]}`, "tags": `{"SS":["a","b"]}`,
		"title": `{"S":"new"}`,
	}
	if diff := cmp.Diff(want, e.copyAsStored(t)); diff != "" {
		t.Error(diff)
	}
}

// TestUpdateOfAnExistingItem: NULL is not the time of a soft delete, nor is the value of a field, and a list can be
// equal to a set.
func TestUpdateOfAnExistingItem(t *testing.T) {
	e := startFiles(t, `"tags":{"SS":["a"]}`, `"tags":{"SS":["a","b"]},"deletedAt":{"NULL":true}`)
	e.LoadLines(t, strings.NewReader(`{"Item":{"pk":{"S":"NOTE#n"},"sk":{"S":"NOTE#n"},"kind":{"S":"Note"},`+
		`"deletedAt":{"S":"2024-01-15T10:30:00Z"}}}`+"\n"))
	tags := item.ListValue([]item.Value{item.StringValue("a"), item.StringValue("b")})
	for key, conditions := range map[keys.Key][]write.Precondition{
		{PK: "FOLDER#x", SK: "FILE#a"}: {write.IfExists(), write.IfEquals("tags", tags)},
		{PK: "NOTE#n", SK: "NOTE#n"}:   {write.IfExists()},
	} {
		update := write.Action{
			Kind: write.ActionUpdate, Key: key, If: conditions,
			Set: item.Item{{Name: "title", Value: item.StringValue("new")}},
		}
		transaction := write.Transaction{Actions: []write.Action{update}}
		if _, err := e.Engine.Table.TransactWriteItems(t.Context(), transaction); err != nil {
			t.Error(key, err)
		}
	}
}

// TestCopyWithAValueTwice: the key of a copy has a value in upper case, and then as it is.
func TestCopyWithAValueTwice(t *testing.T) {
	design := design.MustDesign(nil, []*design.Type{{
		Name: "File", MaxBytes: 512, Identity: []string{"id"}, Item: shape("FILE#{id}", "FILE#{id}"),
		Attributes: []design.Attribute{{Name: "id", Kind: keys.String}},
		Copies:     []design.Copy{{Shape: shape("NAME#{id:upper}#{id}", "{id:lower}")}},
	}}, nil)
	e := tabletest.Start(t, table.SchemaOf(design))
	e.LoadLines(t, strings.NewReader(
		`{"Item":{"PK":{"S":"FILE#aB"},"SK":{"S":"FILE#aB"},"entityType":{"S":"File"},"id":{"S":"aB"}}}`+"\n"+
			`{"Item":{"PK":{"S":"NAME#AB#aB"},"SK":{"S":"ab"},"entityType":{"S":"File"},"id":{"S":"aB"}}}`+"\n"))
	report, err := check.Table(t.Context(), admin.Scanner{Table: e.Table}, check.Options{Design: design})
	if err != nil || !report.Clean() {
		t.Errorf("%s, %v", describe(report.Violations), err)
	}
}
