package rest

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// appendText appends a JSON string.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(text) // a string can always be encoded
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}

// appendValue appends an attribute value.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case int:
		return append(strconv.AppendInt(append(b, `{"N":"`...), int64(v), 10), `"}`...)
	case money:
		b = appendValue(append(b, `{"M":{"amount":`...), v.Amount)
		return append(appendValue(append(b, `,"currency":`...), v.Currency), `}}`...)
	default:
		return append(appendText(append(b, `{"S":`...), v.(string)), '}')
	}
}

// appendKey appends the attributes of a key.
func appendKey(b []byte, k key) []byte {
	b = appendValue(append(b, `"PK":`...), k.pk)
	return appendValue(append(b, `,"SK":`...), k.sk)
}

// appendValues appends attribute values, each after a comma unless it is the first one.
func appendValues(b []byte, v values, isFirst bool) []byte {
	for name, v := range v {
		if !isFirst {
			b = append(b, ',')
		}
		b, isFirst = append(appendText(b, name), ':'), false
		b = appendValue(b, v)
	}
	return b
}

// appendWrite appends the members of a write but TableName.
func appendWrite(b []byte, w write) []byte {
	b = appendText(append(b, `,"ConditionExpression":`...), w.condition)
	if w.item != nil {
		return append(appendValues(appendKey(append(b, `,"Item":{`...), w.key), w.item, false), '}')
	}
	b = append(appendKey(append(b, `,"Key":{`...), w.key), '}')
	b = appendText(append(b, `,"UpdateExpression":`...), w.update)
	b = append(b, `,"ExpressionAttributeNames":{`...)
	all := names(w.update, w.condition)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(appendText(b, name), ':'), all[name])
	}
	b = append(b, `},"ExpressionAttributeValues":{`...)
	return append(appendValues(b, w.values, true), '}')
}
