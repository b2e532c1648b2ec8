package bill_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/bill"
	"github.com/partita/partita/internal/fatal"
)

const day = 24 * 60 * 60

// withoutFree is a change of the price list: no unit-hours are free.
var withoutFree = []string{`"freeUnitHours": 18600`, `"freeUnitHours": 0`}

// TestProvisionedExample computes by the rules of https://aws.amazon.com/dynamodb/pricing/provisioned/ what 100 units
// of both kinds cost for ten days, at most 70 of them consumed; then what auto scaling provisions for 100 consumed
// units; and what the free tier takes from the bill, which is 25 units in 30 days.
func TestProvisionedExample(t *testing.T) {
	tenDays := []bill.Period{{Seconds: 10 * day, Of: 30 * day}}
	of100 := []bill.Throughput{{Reads: 100, Writes: 100}}
	b := bill.New(priced(t, withoutFree...), bill.StandardClass)
	if b.Provision(of100, tenDays); b.Total.String() != "18.720000" {
		t.Errorf("100 units for ten days: %s", b.Total)
	}
	b = bill.New(priced(t, withoutFree...), bill.StandardClass)
	const consumed = 100 * 10 * day * 1000
	b.Requests(map[bill.Key]bill.Usage{{}: {ReadUnits: consumed, WriteUnits: consumed}}, nil)
	b.Compare(tenDays, b.Constant(nil), "")
	if got := b.Comparison.Resources[0]; got.ReadUnitHours != 143*240*1000 || got.WriteUnitHours != 143*240*1000 {
		t.Errorf("for 100 units: %+v", got)
	}
	b = bill.New(priced(t, withoutFree[0], `"freeUnitHours": 18000`), bill.StandardClass)
	b.Provision(of100, wholeMonth)
	without := bill.New(priced(t, withoutFree...), bill.StandardClass)
	without.Provision(of100, wholeMonth)
	if less := without.Total - b.Total; less.String() != "14.040000" {
		t.Errorf("%s is free", less)
	}
}

// TestUtilization: at the utilization that the comparison has, both modes cost the same.
func TestUtilization(t *testing.T) {
	const from = ", it costs less if more than 28.9 % are used on average"
	for _, c := range []struct {
		class string
		units bill.Quantity
		want  string
	}{
		// 1000 units cost 0.13 for an hour, and so do 1,040,000 read units.
		{bill.StandardClass, 1_040_000, "provisioned capacity costs the same as on demand" + from},
		{bill.StandardClass, 1_032_000, "provisioned capacity costs 0.001000 USD more than on demand" + from},
		{bill.StandardClass, 3_600_000, "provisioned capacity costs 0.320000 USD less than on demand" + from},
		{bill.StandardClass, 3_604_000, "more is consumed than is provisioned, so that the modes cannot be compared: " +
			"the capacity is not the same all the time, or requests are throttled"},
		{"STANDARD_INFREQUENT_ACCESS", 0, "provisioned capacity costs 0.160000 USD more than on demand, it costs less if " +
			"more than 28.7 % of read units and 28.8 % of write units are used on average"},
	} {
		b := bill.New(priced(t, withoutFree...), c.class)
		used := map[bill.Key]bill.Usage{{}: {ReadUnits: 1000 * c.units}}
		b.Requests(used, map[string][]bill.Share{"": {{Reads: 1}}})
		b.Provision([]bill.Throughput{{Reads: 1000}}, []bill.Period{{Seconds: 3600, Of: 30 * day}})
		if got := strings.Join(b.Notes[1:], ", "); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestProvision: each operation has the part of the capacity that it had of the units, by resource. Units that are not
// divided have their part of all, a local index uses the capacity of the table, and what nothing was consumed of
// remains.
func TestProvision(t *testing.T) {
	shares := map[string][]bill.Share{
		"A": {{Reads: 1, Writes: 1}, {Index: "GSI1", Reads: 1}}, "B": {{Reads: 1}, {Index: "LSI1", IsLocal: true, Reads: 1}},
	}
	list := priced(t, append([]string{"0.00013", "1", "0.00065", "5"}, withoutFree...)...)
	amounts := func(usage map[bill.Key]bill.Usage) string {
		b := bill.New(list, bill.StandardClass)
		b.Requests(usage, shares)
		b.Provision([]bill.Throughput{{"", 6, 3}, {"GSI1", 2, 1}}, []bill.Period{{Seconds: 3600, Of: 30 * day}})
		var got []string
		for _, c := range b.Charges {
			for _, p := range c.Parts {
				got = append(got, fmt.Sprintf("%s%s %s %s", c.Item[:1], c.Operation, p.Resource, p.Amount))
			}
		}
		if b.Total.String() != "28.000000" || b.Capacity != bill.Provisioned {
			t.Errorf("the total is %s, %s", b.Total, b.Capacity)
		}
		return strings.Join(got, ", ")
	}
	a, other := bill.Usage{Calls: 1, ReadUnits: 4000, WriteUnits: 1000}, bill.Usage{Calls: 1, ReadUnits: 4000}
	for _, c := range []struct {
		name  string
		usage map[bill.Key]bill.Usage
		want  string
	}{
		{"nothing", nil, "c table 21.000000, c index GSI1 7.000000"},
		{"one", map[bill.Key]bill.Usage{{Operation: "A"}: a},
			"rA table 21.000000, rA index GSI1 2.000000, c index GSI1 5.000000"},
		{"a local index", map[bill.Key]bill.Usage{{Operation: "A"}: a, {Operation: "B"}: other},
			"rA table 17.000000, rA index GSI1 2.000000, rB table 2.000000, rB index LSI1 2.000000, c index GSI1 5.000000"},
		{"not divided", map[bill.Key]bill.Usage{{Operation: "A"}: a, {Operation: "C"}: other},
			"rA table 18.000000, rA index GSI1 1.000000, rC  4.000000, c index GSI1 5.000000"},
		{"too much", map[bill.Key]bill.Usage{{Operation: "A"}: {Calls: 1, ReadUnits: 60_000_000}},
			"rA table 6.000000, rA index GSI1 2.000000, c table 15.000000, c index GSI1 5.000000"},
	} {
		if got := amounts(c.usage); got != c.want {
			t.Errorf("%s: got %s", c.name, got)
		}
	}
}

// TestUndividedText: nobody knows what is used of the capacity of a table and its indexes if units are not divided, but
// of all together.
func TestUndividedText(t *testing.T) {
	b := bill.New(priced(t), bill.StandardClass)
	b.Requests(map[bill.Key]bill.Usage{{}: {ReadUnits: 36_000_000}}, nil)
	hour, capacity := []bill.Period{{Seconds: 3600, Of: 30 * day}}, []bill.Throughput{{"", 12, 1}, {"GSI1", 3, 1}}
	b.Provision(capacity, hour)
	var out strings.Builder
	fatal.If(t, b.WriteText(&out))
	const want = `
CAPACITY       read unit-hours    used  write unit-hours   used  provisioned  on demand
(not divided)                0                         0            0.000000   0.004500
index GSI1                   3                         1            0.000000   0.000000
table                       12                         1            0.000000   0.000000
total                       15  66.7 %                 2  0.0 %     0.000000   0.004500
`
	if !strings.Contains(out.String(), want) {
		t.Errorf("got %s", &out)
	}
	b = bill.New(priced(t), bill.StandardClass)
	b.Requests(map[bill.Key]bill.Usage{{}: {ReadUnits: 55_000_000}}, nil)
	if b.Provision(capacity, hour); !strings.HasPrefix(b.Notes[1], "more is consumed than is provisioned") {
		t.Errorf("got %q", b.Notes)
	}
}

// TestHours: of each hour of a log the busiest minute counts, in all files together. A subscription is spread over its
// time, and hours without a line have one unit, as has an index without a request.
func TestHours(t *testing.T) {
	b := bill.New(priced(t, `"targetUtilization": 0.70`, `"targetUtilization": 0.50`), bill.StandardClass)
	log := bill.NewLog()
	log.Shares = map[string][]bill.Share{
		"Q": {{Reads: 1, Writes: 1}, {Index: "GSI1", Reads: 2}}, "Watch": {{Index: "LSI1", IsLocal: true, Reads: 1}},
	}
	const line = `{"time":"2026-11-01T%s:00Z","msg":"%s","operation":"%s","readUnits":%d,"writeUnits":%d,` +
		`"milliseconds":%d}` + "\n"
	for _, file := range []string{
		fmt.Sprintf(line, "00:00", "operation", "Q", 180, 0, 1) + fmt.Sprintf(line, "00:01", "operation", "Q", 90, 0, 1) +
			fmt.Sprintf(line, "03:30", "operation", "Q", 3, 6, 1),
		fmt.Sprintf(line, "00:00", "operation", "Q", 270, 60, 1) +
			fmt.Sprintf(line, "02:19", "subscription", "Watch", 60*20, 0, 19*60*1000),
	} {
		fatal.If(t, log.Read(strings.NewReader(file)))
	}
	ancient := strings.Replace(fmt.Sprintf(line, "00:00", "operation", "Q", 1, 0, 1), "2026", "1969", 1)
	if fatal.If(t, log.Read(strings.NewReader(ancient))); log.Foreign != 1 {
		t.Errorf("%d lines are foreign", log.Foreign)
	}
	if is, note := log.IsComparable(); !is {
		t.Error(note)
	}
	b.Requests(log.Usage, log.Shares)
	b.Compare(log.Periods(), log.Hours(b, []bill.Stored{{}, {Index: "GSI2", IsGlobal: true}}), "")
	var got []string
	for _, r := range b.Comparison.Resources {
		got = append(got, fmt.Sprintf("%s %s/%s %s/%s",
			r.Resource, r.ReadUnits, r.ReadUnitHours, r.WriteUnits, r.WriteUnitHours))
	}
	slices.Sort(got)
	// In 3.5 hours: GSI1 has 300 read units in a minute of the first one, which are 5 in a second, and so 10. The table
	// has 150 of them, and 60 in each minute of the subscription. Its writes are 60 and 6 in a minute.
	want := []string{"index GSI1 362/12.5 0/3.5", "index GSI2 0/3.5 0/3.5", "table 1381/8.5 66/4.5"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	short := bill.NewLog()
	fatal.If(t, short.Read(strings.NewReader(fmt.Sprintf(line, "00:00", "operation", "Q", 1, 0, 1))))
	early := strings.Replace(fmt.Sprintf(line, "00:05", "subscription", "Q", 60, 0, 3600*1000), "2026-11", "1970-01", 1)
	fatal.If(t, bill.NewLog().Read(strings.NewReader(early)))
	if is, note := short.IsComparable(); is || !strings.HasSuffix(note, "the log covers less than an hour") {
		t.Errorf("a log of one line: %q", note)
	}
}

// TestBackups: point-in-time recovery and backups are paid for the table and its local indexes. Backups that are gone,
// of other tables, and those for which DynamoDB does not ask are not counted.
func TestBackups(t *testing.T) {
	var d bill.Description
	for _, text := range []string{
		`{"BackupSummaries": [
			{"TableName": "a", "BackupStatus": "AVAILABLE", "BackupType": "USER", "BackupSizeBytes": 1073741824},
			{"TableName": "a", "BackupStatus": "AVAILABLE", "BackupType": "USER", "BackupSizeBytes": 3221225472},
			{"TableName": "a", "BackupStatus": "AVAILABLE", "BackupType": "SYSTEM", "BackupSizeBytes": 1073741824},
			{"TableName": "a", "BackupStatus": "AVAILABLE", "BackupType": "AWS_BACKUP", "BackupSizeBytes": 1073741824},
			{"TableName": "a", "BackupStatus": "DELETED", "BackupType": "USER", "BackupSizeBytes": 1073741824},
			{"TableName": "b", "BackupStatus": "AVAILABLE", "BackupType": "USER", "BackupSizeBytes": 1073741824}]}`,
		`{"Table": {"TableName": "a", "TableSizeBytes": 10737418240, "ItemCount": 0,
			"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 4},
			"GlobalSecondaryIndexes": [{"IndexName": "GSI1", "IndexSizeBytes": 10737418240, "ItemCount": 0,
				"ProvisionedThroughput": {"ReadCapacityUnits": 3, "WriteCapacityUnits": 2}}],
			"LocalSecondaryIndexes": [{"IndexName": "LSI1", "IndexSizeBytes": 5368709120, "ItemCount": 0}]}}`,
		`{"ContinuousBackupsDescription": {"ContinuousBackupsStatus": "ENABLED",
			"PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "ENABLED"}}}`,
	} {
		fatal.If(t, d.Read([]byte(text)))
	}
	if want := []bill.Throughput{{"", 5, 4}, {"GSI1", 3, 2}}; !slices.Equal(d.Provisioned, want) || !d.HasPointInTime {
		t.Errorf("got %+v", d)
	}
	b := bill.New(priced(t), bill.StandardClass)
	half := []bill.Period{{Month: "2026-11", Seconds: 15 * day, Of: 30 * day}}
	b.PointInTime(d.Stored, half)
	b.OnDemandBackups(d.BackupBytes(), half)
	text, err := json.Marshal(b.Charges)
	fatal.If(t, err)
	const want = `[{"item":"point-in-time recovery","operation":"","month":"2026-11",` +
		`"gbMonths":7.5,"amount":1.500000000},` +
		`{"item":"backups","operation":"","month":"2026-11","gbMonths":2,"amount":0.200000000}]`
	if string(text) != want || b.Total.String() != "1.700000" {
		t.Errorf("got %s, %s", text, b.Total)
	}
}
