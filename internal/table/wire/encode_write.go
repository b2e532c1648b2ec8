package wire

import (
	"encoding/base64"
	"strconv"

	"github.com/partita/partita/item"
)

// appendTransaction appends the body of a TransactWriteItems.
func (c *Client) appendTransaction(b []byte, token string, all []Write) []byte {
	b = append(b, total+`,"ClientRequestToken":`...)
	b = append(appendString(b, token), `,"TransactItems":[`...)
	for i := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, `{"`...), all[i].Kind.member()...), `":{`...)
		b = append(c.appendWrite(b, &all[i]), "}}"...)
	}
	return append(b, "]}"...)
}

// appendWrite appends the members of a write that follow others, or that are the first of a transaction's.
func (c *Client) appendWrite(b []byte, w *Write) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(b, `"TableName":`...)
	b = appendString(b, c.settings.Table)
	if w.Kind == Put {
		b = append(b, `,"Item":`...)
	} else {
		b = append(b, `,"Key":`...)
	}
	b = appendFields(b, w.Item)
	if w.Update != "" {
		b = append(b, `,"UpdateExpression":`...)
		b = appendString(b, w.Update)
	}
	if w.Condition != "" {
		b = append(b, `,"ReturnValuesOnConditionCheckFailure":"ALL_OLD","ConditionExpression":`...)
		b = appendString(b, w.Condition)
	}
	if len(w.Names) > 0 {
		b = append(b, `,"ExpressionAttributeNames":{`...)
		for i, name := range w.Names {
			b = appendPlaceholder(b, "#n", i)
			b = appendString(b, name)
		}
		b = append(b, '}')
	}
	if len(w.Values) > 0 {
		b = append(b, `,"ExpressionAttributeValues":{`...)
		for i, v := range w.Values {
			b = appendPlaceholder(b, ":v", i)
			b = appendAttributeValue(b, v)
		}
		b = append(b, '}')
	}
	return b
}

// appendPlaceholder appends the name of the i-th placeholder as that of a member.
func appendPlaceholder(b []byte, prefix string, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	b = append(append(b, '"'), prefix...)
	b = strconv.AppendInt(b, int64(i), 10)
	return append(b, `":`...)
}

// appendFields appends the object of an item, a key or a Map.
func appendFields(b []byte, it item.Item) []byte {
	b = append(b, '{')
	for i := range it {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, it[i].Name), ':')
		b = appendAttributeValue(b, it[i].Value)
	}
	return append(b, '}')
}

// appendAttributeValue appends an attribute value.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html
func appendAttributeValue(b []byte, v item.Value) []byte {
	switch v.Kind {
	case item.String:
		b = appendString(append(b, `{"S":`...), v.Text)
	case item.Number:
		b = appendString(append(b, `{"N":`...), v.Text)
	case item.Binary:
		b = appendBinary(append(b, `{"B":`...), v.Text)
	case item.Bool:
		b = strconv.AppendBool(append(b, `{"BOOL":`...), v.Text == strconv.FormatBool(true))
	case item.Map:
		b = appendFields(append(b, `{"M":`...), v.Fields())
	case item.List:
		if v.IsSet() {
			b = appendSet(b, v.Elements())
		} else {
			b = appendList(append(b, `{"L":`...), v.Elements(), appendAttributeValue)
		}
	default:
		b = append(b, `{"NULL":true`...)
	}
	return append(b, '}')
}

// appendSet appends the set of elements, which are all of one kind, without its end.
func appendSet(b []byte, elements []item.Value) []byte {
	text := func(b []byte, v item.Value) []byte { return appendString(b, v.Text) }
	switch kind := kindOf(elements); kind {
	case item.Number:
		return appendList(append(b, `{"NS":`...), elements, text)
	case item.Binary:
		return appendList(append(b, `{"BS":`...), elements, func(b []byte, v item.Value) []byte {
			return appendBinary(b, v.Text)
		})
	default:
		return appendList(append(b, `{"SS":`...), elements, text)
	}
}

func kindOf(elements []item.Value) item.Kind {
	if len(elements) == 0 {
		return item.String
	}
	return elements[0].Kind
}

func appendList(b []byte, elements []item.Value, element func([]byte, item.Value) []byte) []byte {
	b = append(b, '[')
	for i, v := range elements {
		if i > 0 {
			b = append(b, ',')
		}
		b = element(b, v)
	}
	return append(b, ']')
}

func appendBinary(b []byte, bytes string) []byte {
	b = base64.StdEncoding.AppendEncode(append(b, '"'), []byte(bytes))
	return append(b, '"')
}
