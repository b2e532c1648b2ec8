package bill_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/partita/partita/internal/bill"
	"github.com/partita/partita/internal/fatal"
)

// TestLog: the units of operations by operation, caller, tenant and month in a log of two months, and all that is not
// counted.
func TestLog(t *testing.T) {
	log := bill.NewLog()
	log.Classes = map[string]string{"bot": "importer"}
	lines, err := os.ReadFile("testdata/gateway.log")
	fatal.If(t, err)
	fatal.If(t, log.Read(strings.NewReader(string(lines)+strings.Repeat("x", 3<<20)+"\n")))
	of := func(operation, caller, month string) bill.Key {
		return bill.Key{Operation: operation, Caller: caller, Month: month}
	}
	ofAcme := of("Mine", "signed in", "2026-10")
	ofAcme.Tenant = "acme"
	want := map[bill.Key]bill.Usage{
		of("Mine", "signed in", "2026-10"):          {Calls: 1, ReadUnits: 1500},
		ofAcme:                                      {Calls: 1, ReadUnits: 500},
		of("Add", "importer", "2026-11"):            {Calls: 1, ReadUnits: 1000, WriteUnits: 3000, PlannedWrites: 5000},
		of("Add", "anonymous", "2026-11"):           {Calls: 1},
		of("Watch", "signed in", "2026-11"):         {ReadUnits: 13_000},
		of("(page /table)", "signed in", "2026-11"): {Calls: 1, ReadUnits: 128_000},
	}
	if !maps.Equal(log.Usage, want) {
		t.Errorf("got %v, want %v", log.Usage, want)
	}
	notes := []string{
		"the log covers 0 % of 2026-10", "the log covers 8.33 % of 2026-11",
		"not counted: 1 of 17 lines are in the format of LOG_FORMAT=text: log with LOG_FORMAT=json",
		"not counted: 5 of 17 lines are no lines of a gateway",
		"not counted: 3 of 17 lines are about an operation and have no units: another version of the program wrote " +
			"them, or another program",
	}
	if got := log.Notes(); !slices.Equal(got, notes) {
		t.Errorf("got %q, want %q", got, notes)
	}
	if log.Counted != 6 || log.Other != 2 || log.Span().Hours() != 61 {
		t.Errorf("%d lines are counted, %d are about something else, in %v", log.Counted, log.Other, log.Span())
	}
	periods := []bill.Period{{"2026-10", 0, 31 * 86400}, {"2026-11", 60 * 3600, 30 * 86400}}
	if got := log.Periods(); !slices.Equal(got, periods) {
		t.Errorf("got %v, want %v", got, periods)
	}
}

// TestLogOfManyNames: callers choose names, and the memory for them is limited. Nothing is lost.
func TestLogOfManyNames(t *testing.T) {
	log := bill.NewLog()
	for n := range 100_000 {
		log.Usage[bill.Key{Operation: strconv.Itoa(n)}] = bill.Usage{}
	}
	const each = `{"time":"2026-11-03T12:00:00Z","msg":"operation",` +
		`"operation":"%d","readUnits":1,"writeUnits":0,"tenant":"%d"}` + "\n"
	for n := range 3 {
		fatal.If(t, log.Read(strings.NewReader(fmt.Sprintf(each, n, n))))
	}
	others := log.Usage[bill.Key{Operation: "(others)", Caller: "anonymous", Tenant: "(others)", Month: "2026-11"}]
	if len(log.Usage) != 100_001 || others != (bill.Usage{Calls: 3, ReadUnits: 3000}) || log.Beyond != 3 {
		t.Errorf("%d keys, %v of others, %d beyond", len(log.Usage), others, log.Beyond)
	}
	const note = "3 lines with further operations and tenants are those of (others): " +
		"the bill has at most 100000 combinations"
	if !slices.Contains(log.Notes(), note) {
		t.Errorf("got %q", log.Notes())
	}
}

// TestMetrics: what operations have not consumed is in the bill, too.
func TestMetrics(t *testing.T) {
	metrics := bill.NewMetrics()
	for range 2 {
		fatal.If(t, metrics.Read(strings.NewReader(`# HELP process_start_time_seconds Start time.
# TYPE process_start_time_seconds gauge
process_start_time_seconds 1.7952768e+09
# TYPE partita_operations_total counter
partita_operations_total{operation="Mine",outcome="ok",type="query"} 3 1795276800000
partita_operations_total{operation="Mine",outcome="a \"b\", }",type="query",} 1
# TYPE partita_operation_read_units_total counter
partita_operation_read_units_total{operation="Mine"} 4.5
# TYPE partita_operation_write_units_total counter
partita_operation_write_units_total{operation="Mine"} 2
# TYPE partita_subscription_read_units_total counter
partita_subscription_read_units_total 1
# TYPE partita_dynamodb_read_units_total counter
partita_dynamodb_read_units_total{action="GetItem"} 6
partita_dynamodb_read_units_total{action="Query"} 1.5
# TYPE partita_dynamodb_write_units_total counter
partita_dynamodb_write_units_total{action="PutItem"} 2
# TYPE partita_stream_requests_total counter
partita_stream_requests_total 20
`)))
	}
	const since = "since 2026-11-21"
	want := map[bill.Key]bill.Usage{
		{Operation: "Mine", Month: since}:              {Calls: 8, ReadUnits: 9000, WriteUnits: 4000},
		{Operation: "(subscriptions)", Month: since}:   {Calls: 0, ReadUnits: 2000, WriteUnits: 0},
		{Operation: "(of no operation)", Month: since}: {Calls: 0, ReadUnits: 4000, WriteUnits: 0},
	}
	if !maps.Equal(metrics.Usage, want) || metrics.Streams[since] != 40_000 {
		t.Errorf("got %v and %v", metrics.Usage, metrics.Streams)
	}
	const start, reads = "process_start_time_seconds 1\n", "partita_dynamodb_read_units_total"
	for text, want := range map[string]string{
		"{}":                       "they are not those of a gateway",
		start:                      "they are not those of a gateway",
		start + reads + " NaN":     `line 2 has partita_dynamodb_read_units_total of "NaN"`,
		start + reads + "{} 1e300": `line 2 has partita_dynamodb_read_units_total of "1e300"`,
		reads + `{action="`:        "line 1 has labels that cannot be read",
		reads + `{`:                "line 1 has labels that cannot be read",
		reads:                      `line 1 has partita_dynamodb_read_units_total of ""`,
	} {
		if err := bill.NewMetrics().Read(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// TestRates: how often an operation is in a month of 30 days, exactly.
func TestRates(t *testing.T) {
	const text = "# at noon\nA: 2.5/s\r\n\nq.graphql:1: 10 / month # few\nB: 0.1/min\nC:3/h\nD: 1/day"
	rates, err := bill.ReadRates([]byte(text))
	fatal.If(t, err)
	var got []string
	for _, r := range rates {
		used, fits := r.Month(bill.Mean{ReadUnits: 1.5, WriteUnits: 0.001})
		got = append(got, fmt.Sprintf("%d %s %d %v %v %v",
			r.Line, r.Operation, used.Calls, used.ReadUnits, used.WriteUnits, fits))
	}
	want := []string{
		"2 A 6480000 9720000 6480 true", "4 q.graphql:1 10 15 0.01 true", "5 B 4320 6480 4.32 true",
		"6 C 2160 3240 2.16 true", "7 D 30 45 0.03 true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	for text, want := range map[string]string{
		"A":               "line 1 has no name and value with a colon between them",
		"\n:1/s":          "line 2 has no name and value with a colon between them",
		"A: 1/s\nA: 2/s":  "line 2 is about A, as line 1 is",
		"A: 1":            "line 1 is no rate",
		"A: -1/s":         "line 1 is no rate",
		"A: 1e9/s":        "line 1 is no rate",
		"A: 1000000001/s": "line 1 is no rate",
		"A: 1/year":       "line 1 is no rate",
	} {
		if _, err := bill.ReadRates([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: got %v", text, err)
		}
	}
	most, err := bill.ReadRates([]byte("A: 1000000000/s"))
	fatal.If(t, err)
	if used, fits := most[0].Month(bill.Mean{ReadUnits: 1e12}); fits {
		t.Errorf("%v fits", used)
	}
}

// TestText prints a log with a tenant, names that control a terminal, and more operations than a table has.
func TestText(t *testing.T) {
	b := bill.New(priced(t), bill.StandardClass)
	acme := func(operation, month string) bill.Key {
		return bill.Key{Operation: operation, Caller: "signed in", Tenant: "acme", Month: month}
	}
	controlling := acme("Twice", "2026-12")
	controlling.Tenant += "\u202etxt"
	usage := map[bill.Key]bill.Usage{
		{Operation: "Big", Caller: "anonymous", Month: "2026-10"}: {Calls: 2, ReadUnits: 1e9, WriteUnits: 1e6},
		acme("\x1b[2J\n", "2026-11"):                              {Calls: 1, ReadUnits: 2e6},
		acme("", "2026-11"):                                       {Calls: 1, ReadUnits: 3e6},
		acme("n00", "2026-12"):                                    {Calls: 1, ReadUnits: 1000},
		controlling:                                               {Calls: 1, ReadUnits: 4e6},
	}
	for n := 1; n < 49; n++ {
		usage[bill.Key{Operation: fmt.Sprintf("n%02d", n), Caller: "anonymous", Month: "2026-12"}] = bill.Usage{Calls: 1}
	}
	b.Requests(usage, map[string][]bill.Share{"Big": {{Reads: 1, Writes: 1}, {Index: "GSI1", Reads: 1, Writes: 1}}})
	b.Storage([]bill.Stored{{Bytes: 30 << 30}}, wholeMonth)
	b.Notes = []string{"a note"}
	var out strings.Builder
	fatal.If(t, b.WriteText(&out))
	left := regexp.MustCompile(`(?m)^n(0[2-9]|[123].|4[0-3]) .*\n`).ReplaceAllString(out.String(), "")
	if left != wantText {
		t.Errorf("got:\n%s", left)
	}
}

const wantText = `DynamoDB on demand, prices of us-east-1 on 2026-08-15 in USD, table class STANDARD

OPERATION         calls  read units  write units       USD
(storage)             0           0            0  1.250000
Big                   2     1000000         1000  0.125625
Twice                 1        4000            0  0.000500
(without a name)      1        3000            0  0.000375
?[2J?                 1        2000            0  0.000250
n00                   1           1            0  0.000000
n01                   1           0            0  0.000000
n44                   1           0            0  0.000000
(4 others)            4           0            0  0.000000
total                54     1009001         1000  1.376750

CALLER     calls  read units  write units       USD
(storage)      0           0            0  1.250000
anonymous     50     1000000         1000  0.125625
signed in      4        9001            0  0.001125
total         54     1009001         1000  1.376750

TENANT     calls  read units  write units       USD
(storage)      0           0            0  1.250000
(none)        50     1000000         1000  0.125625
acme           3        5001            0  0.000625
acme?txt       1        4000            0  0.000500
total         54     1009001         1000  1.376750

TABLE OR INDEX  read units  write units  GB-months       USD
table               500000          500         30  1.312813
index GSI1          500000          500          0  0.062813
(not divided)         9001            0          0  0.001125
total              1009001         1000         30  1.376750

MONTH      calls  read units  write units       USD
(storage)      0           0            0  1.250000
2026-10        2     1000000         1000  0.125625
2026-11        2        5000            0  0.000625
2026-12       50        4001            0  0.000500
total         54     1009001         1000  1.376750

a note
`
