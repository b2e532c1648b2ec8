package app

import (
	"net/netip"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/plan/price"
)

// costSettings limit what operations may consume.
type costSettings struct {
	MaxReadUnits        float64 `env:"MAX_READ_UNITS" default:"1000" range:"0..1e9" help:"Most read units that one operation may cost at worst; 0 for no limit."`
	MaxWriteUnits       float64 `env:"MAX_WRITE_UNITS" default:"1000" range:"0..1e9" help:"Most write units that one operation may cost at worst; 0 for no limit."`
	MaxObjects          float64 `env:"MAX_OBJECTS" default:"10000" range:"0..1e9" help:"Most objects that one answer may have at worst, each counted wherever it is; 0 for no limit."`
	MaxAnonymousObjects float64 `env:"MAX_ANONYMOUS_OBJECTS" default:"2000" range:"0..1e9" help:"The same limit for anonymous callers, if it is lower."`
	// The budget's defaults depend on the table, see budget.
	ReadUnitsBucket  *float64 `env:"READ_UNITS_BUCKET" range:"0..1e9" help:"Most read units that a caller can have at once; 0 for no budget. 10000 by default, 1000000 on the local engine."`
	ReadUnitsRestore *float64 `env:"READ_UNITS_RESTORE" range:"0.001..1e9" help:"Read units that a caller gets back each second. 500 by default, 100000 on the local engine."`

	AnonymousMutationsPerMinute int `env:"ANONYMOUS_MUTATIONS_PER_MINUTE" default:"10" range:"0..1000000" help:"Mutations that a network address may send without a token, at once and in each minute, and sixty addresses together; 0 for no limit."`

	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES" placeholder:"CIDR" help:"Networks of the proxies that set X-Forwarded-For, such as 10.0.0.0/8."`
}

func (c costSettings) limits() price.Limits {
	return price.Limits{ReadUnits: c.MaxReadUnits, WriteUnits: c.MaxWriteUnits, Objects: c.MaxObjects}
}

// anonymousAddresses is how many addresses can use their limit at the same time: whoever has more must not make the
// limit of one address worthless.
const anonymousAddresses = 60

func (c costSettings) anonymousMutations() operation.AnonymousMutations {
	return operation.AnonymousMutations{
		PerMinute: c.AnonymousMutationsPerMinute, TotalPerMinute: anonymousAddresses * c.AnonymousMutationsPerMinute,
	}
}

// budget is larger on the local engine, where there are no other callers to protect.
func (c costSettings) budget(local bool) operation.Budget {
	b := operation.Budget{Maximum: 10_000, Restore: 500}
	if local {
		b = operation.Budget{Maximum: 1_000_000, Restore: 100_000}
	}
	if c.ReadUnitsBucket != nil {
		b.Maximum = *c.ReadUnitsBucket
	}
	if c.ReadUnitsRestore != nil {
		b.Restore = *c.ReadUnitsRestore
	}
	return b
}
