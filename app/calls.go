package app

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/prices"
)

// month is what units each month are computed for.
const month = 30 * 24 * time.Hour

// operationPrice is what an operation costs with two designs, and how often it is sent.
type operationPrice struct {
	prices.Comparison
	// CallsPerMonth is 0 if it is not known.
	CallsPerMonth float64 `json:"callsPerMonth,omitempty"`
}

// perMonth returns the units each month at worst, or their price, in a format.
func (o *operationPrice) perMonth(format string, of func(*prices.Price) float64) string {
	number := func(p *prices.Price) string {
		if p == nil {
			return "?"
		}
		return fmt.Sprintf(format, o.CallsPerMonth*of(p))
	}
	if before, now := number(o.Before), number(o.Now); before != now {
		return before + " -> " + now
	}
	return number(o.Now)
}

// readCalls returns how often operations are sent each month, by the logs of gateways: each line of an operation
// counts, and the time is that between the first and the last one of all.
func readCalls(files []string) (map[string]float64, error) {
	calls := map[string]float64{}
	var first, last time.Time
	for _, name := range files {
		file, err := os.Open(name) //nolint:gosec // the operator names it
		if err != nil {
			return nil, &exit.Error{Problem: err.Error(), Fix: "name a log that can be read", Code: exit.NoInput, Err: err}
		}
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var line struct {
				Time      time.Time
				Msg       string
				Operation string
			}
			if json.Unmarshal(lines.Bytes(), &line) != nil || line.Msg != "operation" {
				continue
			}
			calls[line.Operation]++
			if first.IsZero() || line.Time.Before(first) {
				first = line.Time
			}
			if line.Time.After(last) {
				last = line.Time
			}
		}
		_ = file.Close() // it was only read
		if err := lines.Err(); err != nil {
			return nil, &exit.Error{
				Problem: fmt.Sprintf("%s is no log of a gateway (%v)", name, err),
				Fix:     "name a file with a JSON object on each line", Code: exit.DataError, Err: err,
			}
		}
	}
	if !last.After(first) {
		return nil, nil
	}
	for name := range calls {
		calls[name] *= float64(month) / float64(last.Sub(first))
	}
	return calls, nil
}
