package wire

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/partita/partita/item"
)

// GetRecords reads the records of a shard that follow an iterator, at most so many. Its errors are those of GetItem.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_GetRecords.html
func (c *Client) GetRecords(ctx context.Context, iterator string, most int) (Records, error) {
	e := newExchange(getRecords, maxPage*expansion)
	defer e.release()
	e.body = append(e.body, `{"Limit":`...)
	e.body = strconv.AppendInt(e.body, int64(most), 10)
	e.body = append(e.body, `,"ShardIterator":`...)
	e.body = append(appendString(e.body, iterator), '}')
	_, err := c.call(ctx, e)
	return e.answer.records, err
}

// ParseRecords reads the body of a response to GetRecords. The records share the memory of the body: this is several
// times as fast as the SDK, which a gateway with many changes notices.
func ParseRecords(body string) (Records, error) {
	var page Records
	p := parser{scanner: scanner{text: body}}
	for more := p.open('{', '}'); more; more = p.more('}') {
		name := p.name()
		switch {
		case p.null():
		case name == "NextShardIterator":
			page.Next = p.string()
		case name == "Records":
			page.Records = p.records()
		default:
			p.skip(0)
		}
	}
	if p.next() != 0 || p.at < len(p.text) {
		p.fail(errTrailing)
	}
	return page, p.err
}

// ParseItem reads an item in the JSON of DynamoDB. The item shares the memory of the text.
func ParseItem(text string) (item.Item, error) {
	p := parser{scanner: scanner{text: text}}
	it := p.item()
	if p.next() != 0 || p.at < len(p.text) {
		p.fail(errTrailing)
	}
	return it, p.err
}

// AppendItem appends an item in the JSON of DynamoDB.
func AppendItem(b []byte, it item.Item) []byte { return appendFields(b, it) }

// records reads a list of records.
func (p *parser) records() []Record {
	var records []Record
	for more := p.open('[', ']'); more; more = p.more(']') {
		begin := p.at
		var r Record
		p.of("dynamodb", func() { p.record(&r) })
		records = appendEstimated(p, records, r, begin)
	}
	return records
}

// record reads the content of a record.
func (p *parser) record(r *Record) {
	for more := p.open('{', '}'); more; more = p.more('}') {
		name := p.name()
		switch {
		case p.null():
		case name == "SequenceNumber":
			r.Sequence = p.string()
		case name == "ApproximateCreationDateTime":
			seconds, fraction := math.Modf(p.float())
			r.At = time.UnixMilli(int64(seconds)*1000 + int64(math.Round(fraction*1000)))
		case name == "SizeBytes":
			r.Size = int64(p.float())
		case name == "OldImage":
			r.Old = p.image()
		case name == "NewImage":
			r.New = p.image()
		default:
			p.skip(0)
		}
	}
}

// image reads an item, nil for one without attributes.
func (p *parser) image() item.Item {
	if it := p.item(); len(it) > 0 {
		return it
	}
	return nil
}

// Record is a record of a table's stream, with items as they are stored.
type Record struct {
	// Sequence is the number of the record in its shard.
	Sequence string
	// At is about when the write was committed.
	At time.Time
	// Old and New are the items before and after the write; nil if there was none.
	Old, New item.Item
	// Size is what the record adds to the size of a page, in bytes.
	Size int64
}

// Records are a page of a shard.
type Records struct {
	Records []Record
	// Next is the iterator of the next page; "" at the end of a shard that is closed.
	Next string
}
