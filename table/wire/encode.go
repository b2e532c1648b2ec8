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
func appendGetItem(b []byte, table string, r request.GetItem) []byte {
	b = append(b, total+`,"TableName":`...)
	b = appendString(b, table)
	b = appendConsistent(b, r.Consistent)
	b = append(b, `,"Key":{`...)
	b = appendKey(b, r.Key)
	return append(b, "}}"...)
}

// appendBatchGetItem appends the body of a BatchGetItem.
func appendBatchGetItem(b []byte, table string, r request.BatchGetItem) []byte {
	b = append(b, total+`,"RequestItems":{`...)
	b = appendString(b, table)
	b = append(b, `:{"Keys":[`...)
	for i, k := range r.Keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		b = appendKey(b, k)
		b = append(b, '}')
	}
	b = append(b, ']')
	b = appendConsistent(b, r.Consistent)
	return append(b, "}}}"...)
}

// appendQuery appends the body of a Query.
func appendQuery(b []byte, table string, r request.Query) []byte {
	pk, sk := keys.IndexPK(r.Index), keys.IndexSK(r.Index)
	b = append(b, total+`,"TableName":`...)
	b = appendString(b, table)
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
	b = appendString(b, pk)
	if ranged {
		b = append(b, `,"#s":`...)
		b = appendString(b, sk)
	}
	b = append(b, `},"ExpressionAttributeValues":{`...)
	b = appendText(b, ":p", string(r.PK))
	if ranged {
		b = append(b, ',')
		b = appendText(b, ":from", string(from))
		b = append(b, ',')
		b = appendText(b, ":to", string(to))
	}
	b = append(b, '}')
	if !r.Start.IsZero() {
		b = append(b, `,"ExclusiveStartKey":{`...)
		if r.Index != "" {
			b = appendKey(b, r.Start.Base)
			b = append(b, ',')
		}
		b = appendText(b, pk, string(r.PK))
		b = append(b, ',')
		b = appendText(b, sk, string(r.Start.SK))
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
func appendKey(b []byte, k keys.Key) []byte {
	b = appendText(b, keys.AttributePK, string(k.PK))
	b = append(b, ',')
	return appendText(b, keys.AttributeSK, string(k.SK))
}

// appendText appends a name with an attribute value of type String.
func appendText(b []byte, name, text string) []byte {
	b = appendString(b, name)
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
