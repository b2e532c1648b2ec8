package bill

import (
	"fmt"
	"math/big"
	"strings"
)

// Rate is how often an operation will be sent.
type Rate struct {
	Operation string
	// Line is that of the rate in its file; the first one is 1.
	Line int
	// perMonth is how often it is in a month of 30 days.
	perMonth *big.Rat
}

// seconds are those of the units of rates.
var seconds = map[string]int64{"s": 1, "min": 60, "h": 60 * 60, "day": 24 * 60 * 60, "month": MonthSeconds}

// NewRate reads a rate such as 2.5/s, as [ReadRates] does. It reports whether the text is one.
func NewRate(operation, text string) (Rate, bool) {
	r, is := readRate(text)
	r.Operation = operation
	return r, is
}

// ReadRates reads lines such as
//
//	PlaceOrder: 2.5/s  # at noon
//	Sales: 10/month
//
// A rate is per s, min, h, day or month, which has 30 days. What follows # is a comment.
func ReadRates(text []byte) ([]Rate, error) {
	var rates []Rate
	err := readLines(text, func(n int, operation, value string) error {
		r, is := readRate(value)
		if !is {
			return fmt.Errorf("line %d is no rate", n)
		}
		r.Operation, r.Line = operation, n
		rates = append(rates, r)
		return nil
	})
	return rates, err
}

// ReadClasses reads the classes of viewers, which are named by the ids that the log has of them:
//
//	01999ec9-0c00-73b3-aeb5-f75e016aeba5: importer  # a program
//
// What follows # is a comment.
func ReadClasses(text []byte) (map[string]string, error) {
	classes := map[string]string{}
	return classes, readLines(text, func(_ int, viewer, class string) error {
		classes[viewer] = class
		return nil
	})
}

// readLines passes the name and the value of each line to add. No two lines have the same name.
func readLines(text []byte, add func(n int, name, value string) error) error {
	first := map[string]int{}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		colon := strings.LastIndexByte(line, ':') // an operation without a name has its place, file:line
		name, value := strings.TrimSpace(line[:max(0, colon)]), strings.TrimSpace(line[colon+1:])
		if name == "" || value == "" {
			return fmt.Errorf("line %d has no name and value with a colon between them", n)
		}
		if first[name] > 0 {
			return fmt.Errorf("line %d is about %s, as line %d is", n, name, first[name])
		}
		first[name] = n
		if err := add(n, name, value); err != nil {
			return err
		}
	}
	return nil
}

// maxPerSecond is the most calls for each second.
const maxPerSecond = 1e9

func readRate(text string) (Rate, bool) {
	number, unit, _ := strings.Cut(text, "/")
	per, known := seconds[strings.TrimSpace(unit)]
	n, is := parseDecimal(strings.TrimSpace(number))
	if !known || !is || n.Cmp(big.NewRat(maxPerSecond*per, 1)) > 0 {
		return Rate{}, false
	}
	return Rate{perMonth: n.Mul(n, big.NewRat(MonthSeconds, per))}, true
}

// Month returns what the operation consumes in a month if one of it consumes so much. It reports whether that can be
// stored.
func (r Rate) Month(each Mean) (used Usage, fits bool) {
	fits = true
	units := func(n float64) Quantity {
		q, is := quantityOf(new(big.Rat).Mul(r.perMonth, ratOf(n)))
		fits = fits && is
		return q
	}
	calls, fitCalls := rounded(r.perMonth)
	used = Usage{calls, units(each.ReadUnits), units(each.WriteUnits), units(each.PlannedWrites)}
	return used, fits && fitCalls
}
