package app

import (
	"errors"
	"math"
	"net/netip"

	"github.com/partita/partita/gateway"
)

// costSettings limit what operations may consume.
type costSettings struct {
	MaxReadUnits float64 `env:"MAX_READ_UNITS" default:"1000" help:"Most read units that one operation may cost at worst; 0 for no limit."`
	// The budget's defaults depend on the table, see budget.
	ReadUnitsBucket  *float64 `env:"READ_UNITS_BUCKET" help:"Most read units that a caller can have at once; 0 for no budget. 10000 by default, 1000000 on the local engine."`
	ReadUnitsRestore *float64 `env:"READ_UNITS_RESTORE" help:"Read units that a caller gets back each second. 100 by default, 100000 on the local engine."`

	AnonymousMutationsPerMinute int `env:"ANONYMOUS_MUTATIONS_PER_MINUTE" default:"10" help:"Mutations that a network address may send without a token, at once and in each minute; 0 for no limit."`
	AnonymousMutationsTotal     int `env:"ANONYMOUS_MUTATIONS_TOTAL" default:"600" help:"The same for all callers without a token together."`

	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES" placeholder:"CIDR" help:"Networks of the proxies that set X-Forwarded-For, such as 10.0.0.0/8."`
}

// Validate returns an error for limits that are out of range.
func (c costSettings) Validate() error {
	isAmount := func(n float64) bool { return n >= 0 && !math.IsInf(n, 1) } // NaN is none
	switch {
	case !isAmount(c.MaxReadUnits):
		return errors.New("--max-read-units must not be negative")
	case c.ReadUnitsBucket != nil && !isAmount(*c.ReadUnitsBucket):
		return errors.New("--read-units-bucket must not be negative")
	case c.ReadUnitsRestore != nil && (!isAmount(*c.ReadUnitsRestore) || *c.ReadUnitsRestore == 0):
		return errors.New("--read-units-restore must be more than 0")
	case c.AnonymousMutationsPerMinute < 0:
		return errors.New("--anonymous-mutations-per-minute must not be negative")
	case c.AnonymousMutationsTotal < 0:
		return errors.New("--anonymous-mutations-total must not be negative")
	}
	return nil
}

func (c costSettings) anonymousMutations() gateway.AnonymousMutations {
	return gateway.AnonymousMutations{
		PerMinute: c.AnonymousMutationsPerMinute, TotalPerMinute: c.AnonymousMutationsTotal,
	}
}

// budget is larger on the local engine, where there are no other callers to protect.
func (c costSettings) budget(local bool) gateway.Budget {
	b := gateway.Budget{Maximum: 10_000, Restore: 100}
	if local {
		b = gateway.Budget{Maximum: 1_000_000, Restore: 100_000}
	}
	if c.ReadUnitsBucket != nil {
		b.Maximum = *c.ReadUnitsBucket
	}
	if c.ReadUnitsRestore != nil {
		b.Restore = *c.ReadUnitsRestore
	}
	return b
}
