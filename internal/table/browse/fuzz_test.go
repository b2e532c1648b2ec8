package browse_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/browse"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// memory is a table that has one item, whatever is asked for.
type memory struct {
	design *design.Design
	stored item.Item
	asked  *request.Query
}

func (memory) Name() string           { return "memory" }
func (memory) Now() time.Time         { return time.Unix(1e9, 0) }
func (m memory) Schema() table.Schema { return table.SchemaOf(m.design) }

func (m memory) QueryStored(_ context.Context, q request.Query) (request.Result, error) {
	*m.asked = q
	last := keys.Position{SK: "s", Base: keys.Key{PK: "p", SK: "s"}}
	return request.Result{Items: []item.Item{m.stored}, Last: last}, nil
}

func (m memory) ScanKeys(context.Context, admin.KeyScan) (admin.KeyPage, error) {
	return admin.KeyPage{Items: []item.Item{m.stored}, Scanned: 1, Next: m.stored}, nil
}

// one is the answer to a request of a check.
func (m memory) one() (request.Result, error) {
	return request.Result{Items: []item.Item{m.design.FromStored(m.stored)}}, nil
}

func (m memory) Query(context.Context, request.Query) (request.Result, error)     { return m.one() }
func (m memory) GetItem(context.Context, request.GetItem) (request.Result, error) { return m.one() }

// editable is the memory as an Editor.
type editable struct {
	memory
	check.Source // what no change needs
}

func (e editable) Name() string   { return e.memory.Name() }
func (e editable) Now() time.Time { return e.memory.Now() }
func (e editable) Query(ctx context.Context, q request.Query) (request.Result, error) {
	return e.memory.Query(ctx, q)
}
func (e editable) GetItem(ctx context.Context, r request.GetItem) (request.Result, error) {
	return e.memory.GetItem(ctx, r)
}
func (editable) WriteStored(context.Context, item.Item, item.Item) (request.Result, error) {
	return request.Result{}, nil
}

// FuzzAnswer: no question and no item panics. A question that is answered reads the partition that it names, and all
// others have an error for people.
func FuzzAnswer(f *testing.F) {
	var designs []*design.Design
	for _, glob := range []string{"../../../examples/*", "../../gen/testdata/foreign/*"} {
		dirs, err := filepath.Glob(glob + "/data.jsonl")
		if err != nil || len(dirs) == 0 {
			f.Fatal("no folders", err)
		}
		for _, data := range dirs {
			opened, err := folder.Open(filepath.Dir(data))
			fatal.If(f, err)
			designs = append(designs, opened.Schema.Design)
		}
	}
	for i := range designs {
		f.Add(uint(i), "items", `{"pk": "TENANT#acme", "from": "INVOICE#"}`, "TENANT#acme", "INVOICE#00000001", "Invoice")
		f.Add(uint(i), "items", `{"index": "GSI1", "pk": "12", "after": "AgvN"}`, "USER#1", "USER#1", "")
		f.Add(uint(i), "find", `{"text": "VXNlcjox"}`, "a", "b", "c")
		f.Add(uint(i), "find", `{"text": "ada@example.com"}`, "a", "b", "c")
		f.Add(uint(i), "probe", `{"pk": "USER#1", "sk": "USER#1", "exact": true}`, "USER#1", "USER#1", "")
		f.Add(uint(i), "items", `{"pk": "USER#1", "within": "ORDER#", "order": "DESC"}`, "USER#1", "ORDER#1", "")
		f.Add(uint(i), "change", `{"item": {"PK": {"S": "A#1"}, "SK": {"S": "A#1"}}, "despite": true}`, "A#1", "x", "User")
		f.Add(uint(i), "change", `{"was": {"pk": {"S": "ORG#1"}, "sk": {"S": "A#1"}}, "item": null}`, "ORG#1", "A#1", "")
		f.Add(uint(i), "partitions", `{}`, "UNIQUE#Team.name#x", "UNIQUE#Team.name#x", "")
	}
	f.Fuzz(func(t *testing.T, n uint, name, q, pk, sk, typ string) {
		d := designs[n%uint(len(designs))]
		text := item.StringValue
		stored := append(d.Layout.StoredKey(keys.Key{PK: keys.PK(pk), SK: keys.SK(sk)}), item.Item{
			{Name: "GSI1PK", Value: text(sk)}, {Name: "GSI1SK", Value: text(pk)}, {Name: "id", Value: text(typ)},
		}...)
		if d.Layout.Type != "" {
			stored = append(stored, item.Attribute{Name: d.Layout.Type, Value: text(typ)})
		}
		var asked request.Query
		m := memory{d, stored, &asked}
		b := browse.New(m, check.Options{Design: d}, []byte("secret")).Editing(editable{memory: m})
		answer, _, err := b.Answer(t.Context(), name, []byte(q))
		var coded interface{ Code() string }
		if err != nil {
			if !errors.As(err, &coded) {
				t.Errorf("%s %s: %v is not for people", name, q, err)
			}
			return
		}
		if !json.Valid(answer) {
			t.Errorf("%s %s: no JSON", name, q)
		}
		var wanted struct{ Index, PK string }
		if err := json.Unmarshal([]byte(q), &wanted); err == nil && name == "items" {
			ix := d.Layout.Index(wanted.Index)
			if asked.Index != wanted.Index || ix.ShowPK(asked.PK) != ix.ShowPK(keys.PK(wanted.PK)) && !ix.PK[0].Number {
				t.Errorf("%s reads %q of %q", q, asked.PK, asked.Index)
			}
		}
	})
}
