package bill

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"
)

// The classes of callers that are not in Log.Classes. The log has nothing else of a viewer than the id and the tenant.
const (
	Anonymous = "anonymous"
	SignedIn  = "signed in"
)

// Others is the operation, and the tenant, of what is beyond maxKeys.
const Others = "(others)"

const (
	// maxKeys limits the memory for a log: callers choose the names of operations.
	maxKeys = 100_000
	// maxLineUnits is the most units that a line can have. One that has more was not written by a gateway.
	maxLineUnits = 1e6
)

// Log is what lines of logs of gateways say, in the format of LOG_FORMAT=json. Its memory is limited, however long the
// logs are.
type Log struct {
	// Classes are those of viewers by their ids, see ReadClasses.
	Classes map[string]string
	// Shares divide the units of operations, see Bill.Requests.
	Shares map[string][]Share
	Usage  map[Key]Usage
	// Lines is how many there are.
	Lines int64
	// Counted are the lines with units of operations and subscriptions, Other those about something else.
	Counted, Other int64
	// Foreign are no lines of a gateway, Text those of one with LOG_FORMAT=text, and Unknown are about an operation and
	// have not what they should, as those of another version may.
	Foreign, Text, Unknown int64
	// Beyond is how many of the counted ones have not the names that they have in the log.
	Beyond int64

	months map[string]*covered
	load   *load
}

// covered is the time from the first line of a month to the last one.
type covered struct{ first, last time.Time }

func (c *covered) include(at time.Time) {
	if c.first.IsZero() || at.Before(c.first) {
		c.first = at
	}
	if at.After(c.last) {
		c.last = at
	}
}

// NewLog returns a Log without lines.
func NewLog() *Log {
	return &Log{Usage: map[Key]Usage{}, months: map[string]*covered{}, load: newLoad()}
}

// Read adds the lines of a log. Its error is that of the reader.
func (l *Log) Read(r io.Reader) error {
	defer func() { l.load.flush(l.Shares) }()
	lines := bufio.NewReaderSize(r, maxLine)
	var err error
	for err == nil {
		var line []byte
		line, err = lines.ReadSlice('\n')
		isTooLong := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = lines.ReadSlice('\n')
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 || isTooLong {
			l.Lines++
			l.add(line, isTooLong)
		}
	}
	return nil
}

// logLine is what a bill needs of a line. The attributes of the line of an operation are in package operation, those of
// the end of a subscription in package subscribe.
type logLine struct {
	Time                  time.Time
	Msg                   string
	Operation             *string
	ReadUnits, WriteUnits *float64
	EstimatedWriteUnits   float64
	Milliseconds          float64
	Viewer, Tenant        string
}

func (l *Log) add(text []byte, isTooLong bool) {
	var line logLine
	switch {
	case isTooLong:
		l.Foreign++
	case bytes.HasPrefix(text, []byte("time=")) && bytes.Contains(text, []byte(" level=")):
		l.Text++
	case json.Unmarshal(text, &line) != nil || line.Time.Unix() <= 0 || line.Msg == "":
		l.Foreign++
	case line.Msg == "operation" || line.Msg == "subscription" || line.Msg == "table":
		l.count(&line)
	default:
		l.Other++
	}
}

// count adds the units of a line. A subscription is a call when it begins, and has its units when it ends.
func (l *Log) count(line *logLine) {
	used, is := line.usage()
	if !is {
		l.Unknown++
		return
	}
	l.Counted++
	at := line.Time.UTC()
	key := Key{Caller: l.caller(line.Viewer), Tenant: line.Tenant, Month: at.Format("2006-01")}
	switch {
	case line.Msg == "table":
		key.Operation = tablePage
	case line.Operation != nil:
		key.Operation = *line.Operation
	}
	all, known := l.Usage[key]
	if !known && len(l.Usage) >= maxKeys {
		l.Beyond++
		key.Operation, key.Tenant = Others, Others
		all = l.Usage[key]
	}
	all.add(used)
	l.Usage[key] = all
	if l.months[key.Month] == nil {
		l.months[key.Month] = &covered{}
	}
	l.months[key.Month].include(at)
	if line.Msg == "subscription" {
		l.load.spread(at, line.length(), key.Operation, used, l.Shares)
	} else {
		l.load.add(at, key.Operation, used, l.Shares)
	}
}

// Means returns what each operation has consumed on average, and how often it was called.
func (l *Log) Means() map[string]Mean {
	all := map[string]Usage{}
	for key, used := range l.Usage {
		sum := all[key.Operation]
		sum.add(used)
		all[key.Operation] = sum
	}
	means := map[string]Mean{}
	for operation, sum := range all {
		if sum.Calls > 0 {
			calls := float64(sum.Calls) * 1000
			means[operation] = Mean{
				sum.Calls, float64(sum.ReadUnits) / calls, float64(sum.WriteUnits) / calls, float64(sum.PlannedWrites) / calls,
			}
		}
	}
	return means
}

// Mean is what an operation consumes for each of its calls.
type Mean struct {
	Calls                                int64
	ReadUnits, WriteUnits, PlannedWrites float64
}

// Span returns the time from the first line to the last one.
func (l *Log) Span() time.Duration {
	all := covered{}
	for _, c := range l.months {
		all.include(c.first)
		all.include(c.last)
	}
	return all.last.Sub(all.first)
}

// tablePage is the operation of what visitors of the page /table read and write.
const tablePage = "(page /table)"

// usage returns what a line says, and reports whether it says that.
func (l *logLine) usage() (Usage, bool) {
	isOperation := l.Msg != "subscription"
	if l.ReadUnits == nil || isOperation && (l.WriteUnits == nil || l.Operation == nil) {
		return Usage{}, false
	}
	reads, isNumber := lineUnits(*l.ReadUnits)
	if !isOperation {
		return Usage{ReadUnits: reads}, isNumber
	}
	writes, isAlso := lineUnits(*l.WriteUnits)
	planned, _ := lineUnits(l.EstimatedWriteUnits)
	return Usage{Calls: 1, ReadUnits: reads, WriteUnits: writes, PlannedWrites: planned}, isNumber && isAlso
}

// length returns how long it took, at most some years.
func (l *logLine) length() time.Duration {
	return time.Duration(min(max(0, l.Milliseconds), 1e11) * float64(time.Millisecond))
}

func lineUnits(units float64) (Quantity, bool) {
	if units < 0 || units > maxLineUnits {
		return 0, false
	}
	return Quantity(units*1000 + 0.5), true
}

func (l *Log) caller(viewer string) string {
	switch class := l.Classes[viewer]; {
	case viewer == "":
		return Anonymous
	case class != "":
		return class
	}
	return SignedIn
}

// Periods returns the time from the first line to the last one of each month, sorted.
func (l *Log) Periods() []Period {
	var periods []Period
	for month, c := range l.months {
		first := time.Date(c.first.Year(), c.first.Month(), 1, 0, 0, 0, 0, time.UTC)
		periods = append(periods, Period{
			Month: month, Seconds: int64(c.last.Sub(c.first) / time.Second),
			Of: int64(first.AddDate(0, 1, 0).Sub(first) / time.Second),
		})
	}
	slices.SortFunc(periods, func(a, b Period) int { return strings.Compare(a.Month, b.Month) })
	return periods
}

// IsComparable reports whether the log shows what would be provisioned, and says in a note why it does not.
func (l *Log) IsComparable() (is bool, note string) {
	switch {
	case l.Span() < time.Hour:
		return false, "without a comparison with provisioned capacity: the log covers less than an hour"
	case l.load.isBeyond:
		return false, "without a comparison with provisioned capacity: the log covers too many hours"
	}
	return true, ""
}

// Hours returns the unit-hours that would have been provisioned in each period: in each hour as many units as its
// busiest minute needs without exceeding the target utilization. Auto scaling follows the units of minutes, too.
// An index of stored that consumes nothing has one unit.
func (l *Log) Hours(b *Bill, stored []Stored) func(Period) []Hours {
	resources := withIndexes(l.load.resources(), stored)
	return func(p Period) []Hours {
		c := l.months[p.Month]
		var all []Hours
		for _, resource := range resources {
			sum := Hours{resource, new(big.Rat), new(big.Rat)}
			for at := c.first.Unix() / secondsOfHour; at <= c.last.Unix()/secondsOfHour; at++ {
				from, to := max(at*secondsOfHour, c.first.Unix()), min((at+1)*secondsOfHour, c.last.Unix())
				reads, writes := l.load.busiest(hourOf{resource, at})
				sum.Reads.Add(sum.Reads, scaled(b.units(reads, minutes), to-from))
				sum.Writes.Add(sum.Writes, scaled(b.units(writes, minutes), to-from))
			}
			all = append(all, sum)
		}
		return all
	}
}

// Notes returns which part of each month the log covers, and what is not counted.
func (l *Log) Notes() []string {
	var notes []string
	for _, p := range l.Periods() {
		percent, _ := new(big.Rat).Mul(p.part(), big.NewRat(100, 1)).Float64()
		notes = append(notes, fmt.Sprintf("the log covers %.3g %% of %s", percent, p.Month))
	}
	for _, n := range []struct {
		count int64
		text  string
	}{
		{l.Text, "are in the format of LOG_FORMAT=text: log with LOG_FORMAT=json"},
		{l.Foreign, "are no lines of a gateway"},
		{l.Unknown, "are about an operation and have no units: another version of the program wrote them, or " +
			"another program"},
	} {
		if n.count > 0 {
			notes = append(notes, fmt.Sprintf("not counted: %d of %d lines %s", n.count, l.Lines, n.text))
		}
	}
	if l.Beyond > 0 {
		notes = append(notes, fmt.Sprintf("%d lines with further operations and tenants are those of %s: "+
			"the bill has at most %d combinations", l.Beyond, Others, maxKeys))
	}
	return notes
}
