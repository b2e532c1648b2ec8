package app

import (
	"context"
	"fmt"
	"time"

	"github.com/partita/partita/internal/bill"
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
func readCalls(ctx context.Context, files []string) (map[string]float64, error) {
	log := bill.NewLog()
	if err := readLogs(ctx, log, files); err != nil || log.Span() == 0 {
		return nil, err
	}
	calls := map[string]float64{}
	for key, used := range log.Usage {
		calls[key.Operation] += float64(used.Calls) * float64(month) / float64(log.Span())
	}
	return calls, nil
}
