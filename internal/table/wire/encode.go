package wire

import (
	"strconv"
	"unicode/utf8"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
)

// Comparison is one of those that a key condition consists of. Its placeholders are "#" with Placeholder for the
// attribute, ":" with it for one value, and ":from" and ":to" for bounds.
type Comparison struct {
	keys.KeyAttribute
	Placeholder string
	// Text is the value that the attribute has; "" for one with bounds, which are inclusive, and open if they are "".
	Text, From, To string
}

// The placeholders of the attributes of a partition key, of those of a sort key with one value, and of the one with
// bounds.
var (
	partitionNames = [keys.MaxKeyAttributes]string{"p", "p1", "p2", "p3"}
	equalNames     = [keys.MaxKeyAttributes]string{"s0", "s1", "s2", "s3"}
)

const boundedName = "s"

// maxComparisons is how many comparisons a key condition has at most.
const maxComparisons = 2 * keys.MaxKeyAttributes

// AppendComparisons appends the key condition of a Query: each attribute of the partition key has one value, then as
// many of the sort key as the range determines, and the next one has bounds.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html
func AppendComparisons(all []Comparison, ix *stored.IndexLayout, r *request.Query) []Comparison {
	text := string(r.PK)
	for i, a := range ix.PK {
		var first string
		first, text = ix.PK.Cut(text)
		all = append(all, Comparison{KeyAttribute: a, Placeholder: partitionNames[i], Text: first})
	}
	from, to := r.Bounds()
	if from == "" && to == "" {
		return all
	}
	equal, low, high := ix.SK.Range(from, to)
	text = string(from)
	for i, a := range ix.SK[:equal] {
		var first string
		first, text = ix.SK.Cut(text)
		all = append(all, Comparison{KeyAttribute: a, Placeholder: equalNames[i], Text: first})
	}
	if low != "" || high != "" {
		all = append(all, Comparison{KeyAttribute: ix.SK[equal], Placeholder: boundedName, From: low, To: high})
	}
	return all
}

// AppendExpression appends the KeyConditionExpression of the comparisons.
func AppendExpression(b []byte, all []Comparison) []byte {
	for i := range all {
		c := &all[i]
		if i > 0 {
			b = append(b, " AND "...)
		}
		b = append(append(b, '#'), c.Placeholder...)
		switch {
		case c.From != "" && c.To != "":
			b = append(b, " BETWEEN :from AND :to"...)
		case c.From != "":
			b = append(b, " >= :from"...)
		case c.To != "":
			b = append(b, " <= :to"...)
		default:
			b = append(append(b, " = :"...), c.Placeholder...)
		}
	}
	return b
}

// Bodies of requests begin with the members that each of them has.
const total = `{"ReturnConsumedCapacity":"TOTAL"`

// appendGetItem appends the body of a GetItem.
func (c *Client) appendGetItem(b []byte, r request.GetItem) []byte {
	b = append(b, total+`,"TableName":`...)
	b = appendString(b, c.settings.Table)
	b = appendConsistent(b, r.Consistent)
	b = append(b, `,"Key":{`...)
	b = c.appendKey(b, r.Key)
	return append(b, "}}"...)
}

// appendBatchGetItem appends the body of a BatchGetItem.
func (c *Client) appendBatchGetItem(b []byte, r request.BatchGetItem) []byte {
	b = append(b, total+`,"RequestItems":{`...)
	b = appendString(b, c.settings.Table)
	b = append(b, `:{"Keys":[`...)
	for i, k := range r.Keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		b = c.appendKey(b, k)
		b = append(b, '}')
	}
	b = append(b, ']')
	b = appendConsistent(b, r.Consistent)
	return append(b, "}}}"...)
}

// appendQuery appends the body of a Query.
func (c *Client) appendQuery(b []byte, r request.Query) []byte {
	ix := c.indexes[r.Index]
	b = append(b, total+`,"TableName":`...)
	b = appendString(b, c.settings.Table)
	if r.Index == "" || ix.Local {
		b = appendConsistent(b, r.Consistent)
	}
	if r.Index != "" {
		b = append(b, `,"IndexName":`...)
		b = appendString(b, r.Index)
	}
	if r.Descending {
		b = append(b, `,"ScanIndexForward":false`...)
	}
	if r.Limit > 0 {
		b = append(b, `,"Limit":`...)
		b = strconv.AppendInt(b, int64(r.Limit), 10)
	}
	b = append(b, `,"KeyConditionExpression":`...)
	var buffer [maxComparisons]Comparison
	all := AppendComparisons(buffer[:0], &ix, &r)
	b = AppendExpression(append(b, '"'), all)
	b = append(b, `","ExpressionAttributeNames":{`...)
	for i := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, `"#`...), all[i].Placeholder...), `":`...)
		b = appendString(b, all[i].Name)
	}
	b = append(b, `},"ExpressionAttributeValues":{`...)
	for i := range all {
		b = appendOperands(b, &all[i], i > 0)
	}
	b = append(b, '}')
	if !r.Start.IsZero() {
		b = append(b, `,"ExclusiveStartKey":{`...)
		b = c.appendStart(b, &ix, &r)
		b = append(b, '}')
	}
	return append(b, '}')
}

func appendConsistent(b []byte, strong bool) []byte {
	if !strong {
		return b
	}
	return append(b, `,"ConsistentRead":true`...)
}

// appendKey appends the attributes of a primary key.
func (c *Client) appendKey(b []byte, k keys.Key) []byte {
	table := c.indexes[""]
	b = appendValue(b, table.PK[0].Name, string(k.PK), table.PK[0].Number)
	if len(table.SK) == 0 {
		return b
	}
	return appendValue(append(b, ','), table.SK[0].Name, string(k.SK), table.SK[0].Number)
}

// appendOperands appends the values of a comparison.
func appendOperands(b []byte, c *Comparison, comma bool) []byte {
	if comma {
		b = append(b, ',')
	}
	if c.From == "" && c.To == "" {
		b = append(append(append(b, `":`...), c.Placeholder...), `":`...)
		return appendOperand(b, c.Text, c.Number)
	}
	if c.From != "" {
		b = append(b, `":from":`...)
		b = appendOperand(b, c.From, c.Number)
	}
	if c.From != "" && c.To != "" {
		b = append(b, ',')
	}
	if c.To != "" {
		b = append(b, `":to":`...)
		b = appendOperand(b, c.To, c.Number)
	}
	return b
}

// appendStart appends the position after which a Query starts. An attribute that the keys of the index and of the table
// share is written once.
func (c *Client) appendStart(b []byte, ix *stored.IndexLayout, r *request.Query) []byte {
	if r.Index == "" {
		return c.appendKey(b, keys.Key{PK: r.PK, SK: r.Start.SK})
	}
	b = c.appendKey(b, r.Start.Base)
	table := c.indexes[""]
	for _, part := range [...]struct {
		keys.KeyAttributes
		text string
	}{{ix.PK, string(r.PK)}, {ix.SK, string(r.Start.SK)}} {
		for _, a := range part.KeyAttributes {
			var first string
			if first, part.text = part.Cut(part.text); !table.PK.Has(a.Name) && !table.SK.Has(a.Name) {
				b = append(b, ',')
				b = appendValue(b, a.Name, first, a.Number)
			}
		}
	}
	return b
}

// appendValue appends a name with an attribute value of type String, or Number: see keys.KeyNumber.
func appendValue(b []byte, name, text string, number bool) []byte {
	return appendOperand(append(appendString(b, name), ':'), text, number)
}

// appendOperand appends an attribute value.
func appendOperand(b []byte, text string, number bool) []byte {
	if number {
		b = append(b, `{"N":"`...)
		b = append(b, keys.KeyNumber(text)...)
		return append(b, `"}`...)
	}
	b = append(b, `{"S":`...)
	b = appendString(b, text)
	return append(b, '}')
}

// appendString appends a JSON string. As in encoding/json, invalid UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	for s != "" {
		i := plain(s, 0)
		if part := s[:i]; utf8.ValidString(part) {
			b = append(b, part...)
		} else {
			for _, r := range part {
				b = utf8.AppendRune(b, r)
			}
		}
		if s = s[i:]; s == "" {
			break
		}
		switch c := s[0]; c {
		case '"', '\\':
			b = append(b, '\\', c)
		default:
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&0xf])
		}
		s = s[1:]
	}
	return append(b, '"')
}
