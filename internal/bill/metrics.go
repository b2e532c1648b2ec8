package bill

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// The operations of what is consumed otherwise.
const (
	subscriptions = "(subscriptions)"
	otherwise     = "(of no operation)"
)

// The metrics that a bill needs.
const (
	metricStart             = "process_start_time_seconds"
	metricOperations        = "partita_operations_total"
	metricOperationReads    = "partita_operation_read_units_total"
	metricOperationWrites   = "partita_operation_write_units_total"
	metricSubscriptionReads = "partita_subscription_read_units_total"
	metricReads             = "partita_dynamodb_read_units_total"
	metricWrites            = "partita_dynamodb_write_units_total"
	metricStreamRequests    = "partita_stream_requests_total"
)

// Metrics is what the metrics of gateways say, in the text format of Prometheus. They are those of a process since its
// start.
type Metrics struct {
	Usage map[Key]Usage
	// Streams are the requests of GetRecords, by the month of their Key.
	Streams map[string]Quantity
}

// NewMetrics returns Metrics of no gateway.
func NewMetrics() *Metrics { return &Metrics{Usage: map[Key]Usage{}, Streams: map[string]Quantity{}} }

// Read adds the metrics of a process.
func (m *Metrics) Read(r io.Reader) error {
	p := process{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if err := p.add(lines.Text()); err != nil {
			return fmt.Errorf("line %d %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if p[metricStart] == nil || p[metricReads] == nil {
		return errors.New("they are not those of a gateway")
	}
	p.addTo(m)
	return nil
}

// process has the metrics of one process: of each the sums by its label operation, which is "" without one.
type process map[string]map[string]Quantity

// add adds a line, such as
//
//	partita_operations_total{operation="Mine",outcome="ok",type="query"} 3
//
// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
func (p process) add(line string) error {
	name, rest, _ := strings.Cut(line, " ")
	name, _, hasLabels := strings.Cut(name, "{")
	switch name {
	case metricStart, metricOperations, metricOperationReads, metricOperationWrites, metricSubscriptionReads, metricReads,
		metricWrites, metricStreamRequests:
	default:
		return nil
	}
	operation := ""
	if hasLabels {
		var is bool
		if operation, rest, is = labelOperation(line[len(name)+1:]); !is {
			return errors.New("has labels that cannot be read")
		}
	}
	text, _, _ := strings.Cut(strings.TrimSpace(rest), " ") // a time may follow
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n < maxCounter) {
		return fmt.Errorf("has %s of %q", name, text)
	}
	if p[name] == nil {
		p[name] = map[string]Quantity{}
	}
	p[name][operation] += Quantity(math.Round(n * 1000))
	return nil
}

// maxCounter is more than a process can count.
const maxCounter = 1e13

// labelOperation returns the value of the label operation in what follows a brace, and what is behind the labels.
func labelOperation(text string) (operation, rest string, is bool) {
	for !strings.HasPrefix(text, "}") {
		name, quoted, _ := strings.Cut(text, "=")
		prefix, err := strconv.QuotedPrefix(quoted)
		if err != nil {
			return "", "", false
		}
		value, err := strconv.Unquote(prefix)
		if err != nil {
			return "", "", false
		}
		if name == "operation" {
			operation = value
		}
		text = strings.TrimPrefix(quoted[len(prefix):], ",")
	}
	return operation, text[1:], true
}

func (p process) addTo(m *Metrics) {
	since := "since " + time.Unix(int64(p[metricStart][""]/1000), 0).UTC().Format(time.DateOnly)
	rest := Usage{ReadUnits: sum(p[metricReads]), WriteUnits: sum(p[metricWrites])}
	add := func(operation string, used Usage) {
		key := Key{Operation: operation, Month: since}
		all := m.Usage[key]
		all.add(used)
		m.Usage[key] = all
		rest.ReadUnits -= used.ReadUnits
		rest.WriteUnits -= used.WriteUnits
	}
	for operation, n := range p[metricOperations] {
		add(operation, Usage{
			Calls: int64(n / 1000), ReadUnits: p[metricOperationReads][operation],
			WriteUnits: p[metricOperationWrites][operation],
		})
	}
	if n := sum(p[metricSubscriptionReads]); n > 0 {
		add(subscriptions, Usage{ReadUnits: n})
	}
	// The counters are not read at the same time, so that the rest may be less than nothing.
	if rest.ReadUnits, rest.WriteUnits = max(0, rest.ReadUnits), max(0, rest.WriteUnits); rest != (Usage{}) {
		add(otherwise, rest)
	}
	if reads := sum(p[metricStreamRequests]); reads > 0 {
		m.Streams[since] += reads
	}
}

func sum(of map[string]Quantity) (all Quantity) {
	for _, n := range of {
		all += n
	}
	return all
}
