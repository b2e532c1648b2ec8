package bill_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/partita/partita/internal/bill"
	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/internal/fatal"
)

// priced returns the default price list, changed.
func priced(t *testing.T, changes ...string) *bill.Prices {
	t.Helper()
	p, err := bill.ReadPrices([]byte(strings.NewReplacer(changes...).Replace(string(bill.DefaultPrices))))
	fatal.If(t, err)
	return p
}

// asInExample are the prices for requests in the example of AWS's price page, those before November 2024.
var asInExample = []string{`"millionReadUnits": 0.125`, `"millionReadUnits": 0.25`,
	`"millionWriteUnits": 0.625`, `"millionWriteUnits": 1.25`}

var wholeMonth = []bill.Period{{Seconds: bill.MonthSeconds, Of: bill.MonthSeconds}}

// TestPricingExample is the example bill of https://aws.amazon.com/dynamodb/pricing/on-demand/ for one region, as of
// 2023: 42,177,000 writes and as many strongly consistent reads of items of 1 KB, 27 GB of which 25 are free, and one
// read of the stream in each second of 30 days. AWS rounds to cents.
func TestPricingExample(t *testing.T) {
	const each, gb = 42_177_000 * 1000, 1 << 30
	for _, c := range []struct {
		name   string
		add    func(*bill.Bill)
		amount string
	}{
		{"write traffic: $52.72", func(b *bill.Bill) {
			b.Requests(map[bill.Key]bill.Usage{{}: {WriteUnits: each * bill.Quantity(capacity.Write(1024))}}, nil)
		}, "52.721250"},
		{"read traffic: $10.54", func(b *bill.Bill) {
			b.Requests(map[bill.Key]bill.Usage{{}: {ReadUnits: each * bill.Quantity(capacity.Get(1024, true))}}, nil)
		}, "10.544250"},
		{"data storage: $0.50", func(b *bill.Bill) { b.Storage([]bill.Stored{{Bytes: 27 * gb}}, wholeMonth) }, "0.500000"},
		{"streams: $0.02, for 92,000 of 2,592,000 reads", func(b *bill.Bill) { b.ShardReads(1, 1, wholeMonth) }, "0.018400"},
	} {
		b := bill.New(priced(t, asInExample...), bill.StandardClass)
		if c.add(b); b.Total.String() != c.amount {
			t.Errorf("%s: got %s", c.name, b.Total)
		}
	}
}

// TestUnits are the examples of
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html and of the price page, by
// today's prices of a million of each.
func TestUnits(t *testing.T) {
	const kb, million = 1024, 1e6 * 1000
	_, query := capacity.Query(408, kb/10, true) // 40.8 KB are rounded up to 44
	for _, c := range []struct {
		name          string
		reads, writes float64
		amount        string
	}{
		{"an item of 3.5 KB, strongly consistent", capacity.Get(3.5*kb, true), 0, "0.125000"},
		{"an item of 10 KB, eventually consistent", capacity.Get(10*kb, false), 0, "0.187500"},
		{"a batch of 1.5 KB and 6.5 KB is 12 KB", capacity.Get(1.5*kb, true) + capacity.Get(6.5*kb, true), 0, "0.375000"},
		{"a query of 40.8 KB is 44 KB", query, 0, "1.375000"},
		{"a write of 3 KB", 0, float64(capacity.Write(3 * kb)), "1.875000"},
		{"a transactional write of 3 KB", 0, 2 * float64(capacity.Write(3*kb)), "3.750000"},
	} {
		b := bill.New(priced(t), bill.StandardClass)
		b.Requests(map[bill.Key]bill.Usage{{}: {
			ReadUnits: bill.Quantity(c.reads * million), WriteUnits: bill.Quantity(c.writes * million),
		}}, nil)
		if b.Total.String() != c.amount {
			t.Errorf("%s: got %s, want %s", c.name, b.Total, c.amount)
		}
	}
}

// TestAmountsAddUp: units are divided without a rest, each part is rounded once, and a charge and the total are sums.
func TestAmountsAddUp(t *testing.T) {
	b := bill.New(priced(t, "0.125", "0.1525"), bill.StandardClass)
	b.Requests(map[bill.Key]bill.Usage{
		{Operation: "A", Month: "2026-10"}: {Calls: 3, ReadUnits: 1000, WriteUnits: 7000},
		{Operation: "B", Month: "2026-11"}: {Calls: 1, ReadUnits: 500},
	}, map[string][]bill.Share{
		"A": {{Reads: 1, Writes: 2}, {Index: "GSI1", Reads: 1, Writes: 1}, {Index: "GSI2", Reads: 1}},
	})
	b.StreamReads(5000, bill.Period{Month: "2026-11"})
	text, err := json.Marshal(b.Charges)
	fatal.If(t, err)
	const want = `[{"item":"requests","operation":"A","month":"2026-10","calls":3,"readUnits":1,"writeUnits":7,` +
		`"amount":0.000004528,"parts":[` +
		`{"resource":"table","readUnits":0.333,"writeUnits":4.667,"amount":0.000002968},` +
		`{"resource":"index GSI1","readUnits":0.334,"writeUnits":2.333,"amount":0.000001509},` +
		`{"resource":"index GSI2","readUnits":0.333,"amount":0.000000051}]},` +
		`{"item":"requests","operation":"B","month":"2026-11","calls":1,"readUnits":0.5,"amount":0.000000076,` +
		`"parts":[{"resource":"","readUnits":0.5,"amount":0.000000076}]},` +
		`{"item":"streams","operation":"","month":"2026-11","streamReads":5,"amount":0.000001000}]`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	if total, err := json.Marshal(b.Total); string(total) != "0.000005604" || err != nil {
		t.Errorf("the total is %s, %v", total, err)
	}
}

// TestDividedWrites: an index has what it has in the plans of the calls, and the table the rest.
func TestDividedWrites(t *testing.T) {
	shares := map[string][]bill.Share{
		"A": {{Reads: 0.5, Writes: 4}, {Index: "GSI1", Writes: 1}}, "OnlyIndex": {{Index: "GSI1", Writes: 1}},
	}
	for _, c := range []struct {
		name            string
		writes, planned bill.Quantity
		want            string
	}{
		{"with all that is possible", 50_000, 50_000, "table: 40, index GSI1: 10"},
		{"a single write instead of a transaction", 20_000, 20_000, "table: 10, index GSI1: 10"},
		{"half as large as in the plan", 10_000, 20_000, "table: 5, index GSI1: 5"},
		{"without a plan in the log", 20_000, 0, "table: 16, index GSI1: 4"},
		{"an update that does not change the entry", 5_000, 5_000, "index GSI1: 5"},
	} {
		b := bill.New(priced(t), bill.StandardClass)
		used := bill.Usage{Calls: 10, WriteUnits: c.writes, PlannedWrites: c.planned}
		b.Requests(map[bill.Key]bill.Usage{{Operation: "A"}: used}, shares)
		var got []string
		for _, p := range b.Charges[0].Parts {
			got = append(got, p.Resource+": "+p.WriteUnits.String())
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
	b := bill.New(priced(t), bill.StandardClass)
	used := bill.Usage{Calls: 1, WriteUnits: 3000, PlannedWrites: 3000}
	b.Requests(map[bill.Key]bill.Usage{{Operation: "OnlyIndex"}: used, {Operation: ""}: used}, shares)
	b.Note("not divided: ", append(b.Undivided(), strings.Split(strings.Repeat("A", 21), "")...))
	text, err := json.Marshal([]any{b.Charges[0].Parts, b.Charges[1].Parts, b.Notes})
	fatal.If(t, err)
	const want = `[[{"resource":"","writeUnits":3,"amount":0.000001875}],` +
		`[{"resource":"index GSI1","writeUnits":1,"amount":0.000000625},` +
		`{"resource":"table","writeUnits":2,"amount":0.000001250}],` +
		`["not divided: (without a name), A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, and 2 more"]]`
	if string(text) != want {
		t.Errorf("got %s", text)
	}
}

// TestStorage: each item takes 100 bytes more than its size, what is free is that of the table first, and a part of a
// month has its part of both.
func TestStorage(t *testing.T) {
	var d bill.Description
	fatal.If(t, d.Read([]byte(`{"Table": {"TableSizeBytes": 26843535600, "ItemCount": 100,
		"TableClassSummary": {"TableClass": "STANDARD_INFREQUENT_ACCESS"},
		"BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"}, "ProvisionedThroughput": {"ReadCapacityUnits": 0},
		"GlobalSecondaryIndexes": [{"IndexName": "GSI1", "IndexSizeBytes": 10737408240, "ItemCount": 100}]}}`)))
	stored, class := d.Stored, d.Class
	if d.Provisioned != nil {
		t.Errorf("%v is provisioned", d.Provisioned)
	}
	if class != "STANDARD_INFREQUENT_ACCESS" || len(stored) != 2 {
		t.Fatalf("got %v of class %s", stored, class)
	}
	for class, want := range map[string][]bill.Amount{
		bill.StandardClass: {0, 1_250_000_000}, class: {1_250_000_000, 500_000_000},
	} {
		b := bill.New(priced(t), class)
		b.Storage(stored, []bill.Period{{Month: "2026-11", Seconds: 15, Of: 30}})
		parts := b.Charges[0].Parts
		if parts[0].GBMonths != 12500 || parts[0].Amount != want[0] || parts[1].Amount != want[1] {
			t.Errorf("%s: got %+v", class, parts)
		}
	}
	for _, text := range []string{`{"Table": {"TableName": "a"}}`, `{"Tables": []}`, "tasks"} {
		if err := d.Read([]byte(text)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
	var s bill.Size
	for text, want := range map[string]int64{"27GB": 27 << 30, "1.5 KB": 1536, "10B": 10, "1TB": 1 << 40} {
		if err := s.UnmarshalText([]byte(text)); err != nil || s.Bytes != want {
			t.Errorf("%s: got %d, %v", text, s, err)
		}
	}
	for _, text := range []string{"", "GB", "27", "27gb", "-1GB", "1e3GB", "27 GB GB", "99999999999999TB"} {
		if err := s.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is the size %d", text, s)
		}
	}
}

// TestPrices: a price list must be complete.
func TestPrices(t *testing.T) {
	for old, with := range map[string]string{
		"0.625": "-1", "0.125": "1e-1", "0.78": `"0.78"`, `"freeReads"`: `"free"`, "\n}\n": "\n}\n{}",
		`"date": "2026-08-15",`: "", `"STANDARD": {`: `"STANDARD": null, "OTHER": {`,
		`"freeStorageGB": 0`:        `"freeStorageGB": null`,
		`"targetUtilization": 0.70`: `"targetUtilization": 1.1`, `"targetUtilization": 0.7`: `"targetUtilization": 0.0`,
		`"pointInTimeGBMonth": 0.20,`: "",
	} {
		text := strings.Replace(string(bill.DefaultPrices), old, with, 1)
		if _, err := bill.ReadPrices([]byte(text)); err == nil {
			t.Errorf("a list with %s instead of %s is read", with, old)
		}
	}
	_, err := bill.ReadPrices([]byte(`{"region": "x", "classes": {"STANDARD": {"storageGBMonth": 0}}, "streams": {}}`))
	const want = "there is no STANDARD.freeStorageGB, no STANDARD.freeUnitHours, no STANDARD.millionReadUnits, " +
		"no STANDARD.millionWriteUnits, no STANDARD.readUnitHour, no STANDARD.writeUnitHour, no backups, no currency, " +
		"no date, no streams.freeReads, no streams.millionReads, no targetUtilization"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
