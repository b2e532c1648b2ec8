package crowd

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/keys"
)

// depotFields are the live fields of testdata/depot: those that read the item behind the entry of an index, and those
// whose selection the entry has.
var depotFields = []string{
	`ticket(org: "acme", code: "1") { id title score }`,
	`place(tenantId: "t", region: "eu", first: 20) CONNECTION { id code score createdAt title owner }`,
	`place(tenantId: "t", region: "eu", score: {from: 0, to: 9}, first: 20) CONNECTION { id tenantId region score }`,
	`place(tenantId: "t", region: "eu#west", first: 20) CONNECTION { id title }`,
	`newest(tenantId: "t", region: "eu") { id score title }`,
	`scored(tenantId: "t", region: "eu", score: 5, first: 20) CONNECTION { id code score createdAt }`,
	`owned(owner: "bob", status: "OPEN", first: 20) CONNECTION { id owner title score }`,
	`owned(owner: "bob", first: 20) CONNECTION { id owner title }`,
	`titled(org: "acme", title: {from: "A", to: "R"}, first: 20) CONNECTION { id code title score }`,
	`ranked(org: "acme", first: 20) CONNECTION { id score title }`,
	`ranked(org: "acme", score: {from: -5, to: 5}, first: 20) CONNECTION { id code score }`,
}

// change is what another program sets in an item: texts, numbers, and nil to remove an attribute.
type change map[string]any

// TestLiveSeveralAttributes: indexes whose keys are several attributes, and local ones. After each write, by the
// gateway and by another program, what subscribers know is what a query returns, also if they have resumed.
func TestLiveSeveralAttributes(t *testing.T) {
	t.Parallel()
	dir, err := filepath.Abs("testdata/depot")
	fatal.If(t, err)
	p := processtest.Launch(t, "serve "+dir, "DATA_DIR="+t.TempDir(), "READ_UNITS_BUCKET=0")
	p.AwaitServing(t)
	d := newDesk(t, p, depotFields)
	create := func(code, more string) string {
		return fmt.Sprintf(`createTicket(input: {org: "acme", code: %q, tenantId: "t", region: "eu", title: "Door", %s})`,
			code, more)
	}
	update := func(code, fields string) string {
		return fmt.Sprintf(`updateTicket(input: {id: %q, %s})`, ticketID(code), fields)
	}
	at := `createdAt: "2026-01-01T00:00:00Z"`
	write := func(w any) {
		switch w := w.(type) {
		case string:
			d.mutate(t, w)
		case change:
			d.alter(t, w)
		}
	}
	for _, w := range []any{
		create("1", at+`, score: 5, owner: "bob", status: "OPEN"`),
		create("2", at+`, score: 5, owner: "bob", status: "DONE"`),
		create("3", at),
		change{
			"tenantId": "t", "region": "eu", "created": 1_767_225_601, "score": 10, "title": "Wall",
			"kind": "TICKET", "owner": "bob", "status": "OPEN", "gsiStatus": "S-OPEN", "gsiAt": "1767225601",
		},
		change{"score": nil},
		change{"score": -3},
		change{"region": "eu#west"},
		change{"region": "eu", "score": 5, "colour": "blue"},
		change{"title": "Quay"},
		change{"title": nil},
		change{"title": "Wall"},
		change{"gsiStatus": nil},
		change{"gsiStatus": "S-OPEN", "kind": nil},
		change{"kind": "TICKET", "created": 1_767_225_600, "gsiAt": "1767225600"},
		update("1", `owner: "eve"`),
		update("1", `owner: "bob", status: null`),
		update("2", `score: 4, region: "eu#west"`),
		update("3", `score: 5, createdAt: "2026-01-02T00:00:00Z"`),
		update("2", `region: null`),
		fmt.Sprintf(`deleteTicket(input: {id: %q})`, ticketID("1")),
	} {
		write(w)
		d.wantSame(t, fmt.Sprint(w))
	}
	d.conn.Cut()
	for _, w := range []any{
		create("1", at+`, score: 0, owner: "bob", status: "OPEN"`),
		change{"region": "eu#west", "score": 5},
		update("2", `region: "eu"`),
		update("3", `score: null`),
	} {
		write(w)
	}
	d.subscribeAll(t)
	d.wantSame(t, "resuming")
}

// ticketID returns the id of a ticket.
func ticketID(code string) string { return keys.NewID("Ticket", "acme", code).Encode() }

// alter changes the attributes of an item as the other program does.
func (d *desk) alter(t *testing.T, attributes change) {
	t.Helper()
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	in := dynamodb.UpdateItemInput{
		TableName:                aws.String("partita"),
		Key:                      map[string]types.AttributeValue{"pk": text("TENANT#acme"), "sk": text("TICKET#4")},
		ExpressionAttributeNames: map[string]string{},
	}
	var set, remove []string
	for name, value := range attributes {
		in.ExpressionAttributeNames["#"+name] = name
		if value == nil {
			remove = append(remove, "#"+name)
			continue
		}
		if in.ExpressionAttributeValues == nil {
			in.ExpressionAttributeValues = map[string]types.AttributeValue{}
		}
		set = append(set, fmt.Sprintf("#%s = :%s", name, name))
		in.ExpressionAttributeValues[":"+name] = text(fmt.Sprint(value))
		if _, isNumber := value.(int); isNumber {
			in.ExpressionAttributeValues[":"+name] = &types.AttributeValueMemberN{Value: fmt.Sprint(value)}
		}
	}
	expression := ""
	if len(set) > 0 {
		expression = "SET " + strings.Join(set, ", ")
	}
	if len(remove) > 0 {
		expression += " REMOVE " + strings.Join(remove, ", ")
	}
	in.UpdateExpression = aws.String(expression)
	if _, err := d.client().UpdateItem(t.Context(), &in); err != nil {
		t.Fatalf("%v: %v", attributes, err)
	}
}
