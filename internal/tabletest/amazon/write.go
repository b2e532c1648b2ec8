package amazon

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/partita/partita/item"
)

// writing is a transaction or a single write under Limits.
type writing struct {
	table   tableKeys
	actions []writingAction
	// factor is 2 in a transaction.
	factor   float64
	admitted charges
}

type writingAction struct {
	kind          string
	key           json.RawMessage
	before, after item.Item
}

// actionBody is an action of a transaction, or a single write.
type actionBody struct {
	TableName                 string
	Key, Item                 json.RawMessage
	UpdateExpression          string
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues map[string]json.RawMessage
}

// newWriting reads what is stored before a write; nil if it is none.
func newWriting(all *tables, ask Ask, operation string, text []byte) *writing {
	w, bodies := actionsOf(operation, text)
	if len(bodies) == 0 {
		return nil
	}
	w.table = all.of(ask, bodies[0].TableName)
	for i := range w.actions {
		w.actions[i].key = w.table.keyOf(bodies[i])
	}
	stored := w.table.items(ask, w.keys())
	for i := range w.actions {
		w.actions[i].expect(stored[w.keyText(i)], bodies[i])
	}
	return w
}

// actionsOf returns the actions of a transaction, or the one of a single write.
func actionsOf(operation string, text []byte) (*writing, []actionBody) {
	var body struct {
		actionBody
		TransactItems []map[string]actionBody
	}
	kind, isSingle := strings.CutSuffix(operation, "Item")
	if json.Unmarshal(text, &body) != nil { // The endpoint returns the error.
		return nil, nil
	}
	if isSingle && slices.Contains([]string{"Put", "Update", "Delete"}, kind) {
		return &writing{factor: 1, actions: []writingAction{{kind: kind}}}, []actionBody{body.actionBody}
	}
	w, all := &writing{factor: 2}, []actionBody(nil)
	for _, one := range body.TransactItems {
		for kind, a := range one {
			w.actions, all = append(w.actions, writingAction{kind: kind}), append(all, a)
		}
	}
	return w, all
}

// keyText returns the key of an action's item as a text.
func (w *writing) keyText(i int) string { return w.table.table.whole(itemOf(w.actions[i].key)) }

// keyOf returns the key of an action's item.
func (t tableKeys) keyOf(a actionBody) json.RawMessage {
	if len(a.Key) > 0 {
		return a.Key
	}
	var all, key map[string]json.RawMessage
	_ = json.Unmarshal(a.Item, &all) // The endpoint returns the error.
	key = map[string]json.RawMessage{}
	for _, name := range t.table.names() {
		key[name] = all[name]
	}
	return marshal(key)
}

func (w *writing) keys() []json.RawMessage {
	all := make([]json.RawMessage, len(w.actions))
	for i, a := range w.actions {
		all[i] = a.key
	}
	return all
}

// assignment is a part of an UpdateExpression that sets an attribute to a value.
var assignment = regexp.MustCompile(`(#\w+) = (:\w+)`)

// expect sets what the item is before, and afterwards as far as the request says so.
func (a *writingAction) expect(before item.Item, body actionBody) {
	a.before, a.after = before, before
	switch a.kind {
	case "Put":
		a.after = itemOf(body.Item)
	case "Delete":
		a.after = nil
	case "Update":
		a.after = slices.Clone(before)
		for _, m := range assignment.FindAllStringSubmatch(body.UpdateExpression, -1) {
			name := body.ExpressionAttributeNames[m[1]]
			one := itemOf(marshal(map[string]any{name: body.ExpressionAttributeValues[m[2]]}))
			a.after = append(slices.DeleteFunc(a.after, func(x item.Attribute) bool { return x.Name == name }), one...)
		}
	}
}

// charges returns the units of an action: of the table, and of each index whose entry changes.
func (w *writing) charges(a writingAction) charges {
	all := charges{{partition: w.table.table.partition(itemOf(a.key)), isWrite: true}: w.factor * units(a.before, a.after)}
	if a.kind == "ConditionCheck" {
		return all
	}
	for _, ix := range w.table.indexes {
		before, after := ix.KeySchema.partition(a.before), ix.KeySchema.partition(a.after)
		was, is := ix.entry(a.before, w.table.table), ix.entry(a.after, w.table.table)
		isSame := before == after && ix.KeySchema.whole(a.before) == ix.KeySchema.whole(a.after)
		switch key := func(partition string) bucketKey { return bucketKey{ix.IndexName, partition, true} }; {
		case isSame && (before == "" || isEqual(was, is)):
		case isSame:
			all[key(after)] = units(was, is)
		default:
			all[key(before)] += units(was, nil)
			all[key(after)] += units(nil, is)
			delete(all, key("")) // it is not in the index
		}
	}
	return all
}

// isEqual reports whether two entries have the same attributes, in any order.
func isEqual(a, b item.Item) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(one item.Attribute) bool {
		other, has := b.Get(one.Name)
		return !has || !one.Value.Equal(other)
	})
}

// total returns the units of all actions.
func (w *writing) total() charges {
	all := charges{}
	for _, a := range w.actions {
		for key, n := range w.charges(a) {
			all[key] += n
		}
	}
	return all
}

// begin takes the units of a write, or returns its error if its partitions have none.
func (w *writing) begin(b *buckets) *Failure {
	w.admitted = w.total()
	empty := b.admit(w.admitted)
	if len(empty) == 0 {
		return nil
	}
	f := w.rejected(empty)
	f.Units = w.admitted.written()
	return f
}

// rejected returns the error of a write whose buckets are empty.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
func (w *writing) rejected(empty []bucketKey) *Failure {
	if w.factor == 1 {
		return exceeded(empty)
	}
	reasons := make([]map[string]string, len(w.actions))
	for i, a := range w.actions {
		reasons[i] = map[string]string{"Code": "None"}
		for key := range w.charges(a) {
			if slices.Contains(empty, key) {
				reasons[i] = map[string]string{"Code": "ThrottlingError", "Message": madeByTheTest}
			}
		}
	}
	f := failure("com.amazonaws.dynamodb.v20120810#TransactionCanceledException", madeByTheTest,
		map[string]any{"CancellationReasons": reasons})
	f.IsThrottle = true
	return f
}

// end takes what a write has consumed as it turned out, and keeps what its indexes do not have yet.
func (w *writing) end(ask Ask, b *buckets, d *delays) {
	if slices.ContainsFunc(w.actions, func(a writingAction) bool { return a.kind == "Update" }) {
		stored := w.table.items(ask, w.keys())
		for i := range w.actions {
			w.actions[i].after = stored[w.keyText(i)]
		}
	}
	b.consume(w.admitted, w.total())
	for i, a := range w.actions {
		d.keep(w.keyText(i), a.before)
	}
}
