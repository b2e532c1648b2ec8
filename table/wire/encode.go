package wire

import (
	"strconv"
	"unicode/utf8"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
)

// The key conditions of a Query: of a whole partition, over the name #p and the value :p, and of a range in it, also
// over the name #s and the values :from and :to.
const (
	PartitionCondition = "#p = :p"
	RangeCondition     = PartitionCondition + " AND #s BETWEEN :from AND :to"
)

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
	if r.Index == "" {
		b = appendConsistent(b, r.Consistent)
	} else {
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
	from, to := r.Bounds()
	ranged := from != "" || to != ""
	if ranged {
		b = appendString(b, RangeCondition)
	} else {
		b = appendString(b, PartitionCondition)
	}
	b = append(b, `,"ExpressionAttributeNames":{"#p":`...)
	b = appendString(b, ix.PK)
	if ranged {
		b = append(b, `,"#s":`...)
		b = appendString(b, ix.SK)
	}
	b = append(b, `},"ExpressionAttributeValues":{`...)
	b = appendValue(b, ":p", string(r.PK), ix.PKNumber)
	if ranged {
		b = append(b, ',')
		b = appendValue(b, ":from", string(from), ix.SKNumber)
		b = append(b, ',')
		b = appendValue(b, ":to", string(to), ix.SKNumber)
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
	ix := c.indexes[""]
	b = appendValue(b, ix.PK, string(k.PK), false)
	b = append(b, ',')
	return appendValue(b, ix.SK, string(k.SK), false)
}

// appendStart appends the position after which a Query starts. An attribute that the keys of the index and of the table
// share is written once.
func (c *Client) appendStart(b []byte, ix *keys.IndexLayout, r *request.Query) []byte {
	if r.Index == "" {
		return c.appendKey(b, keys.Key{PK: r.PK, SK: r.Start.SK})
	}
	b = c.appendKey(b, r.Start.Base)
	table := c.indexes[""]
	for _, part := range [...]struct {
		name, text string
		number     bool
	}{{ix.PK, string(r.PK), ix.PKNumber}, {ix.SK, string(r.Start.SK), ix.SKNumber}} {
		if part.name != "" && part.name != table.PK && part.name != table.SK {
			b = append(b, ',')
			b = appendValue(b, part.name, part.text, part.number)
		}
	}
	return b
}

// appendValue appends a name with an attribute value of type String, or Number: see keys.KeyNumber.
func appendValue(b []byte, name, text string, number bool) []byte {
	b = appendString(b, name)
	if number {
		b = append(b, `:{"N":"`...)
		b = append(b, keys.KeyNumber(text)...)
		return append(b, `"}`...)
	}
	b = append(b, `:{"S":`...)
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
