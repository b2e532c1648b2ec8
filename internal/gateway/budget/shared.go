package budget

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"math"
	"strconv"

	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/internal/share"
)

//go:embed take.lua
var takeLua string

var takeScript = replicas.NewScript(takeLua)

// takeShared makes the charges to the buckets in the store, and if they were made there, to those in memory. It returns
// what the first bucket has afterwards. After an error, no charge was made to a bucket in memory.
func (b *Budgets) takeShared(ctx context.Context, force bool, charges ...Charge) (float64, Shortage, error) {
	keys, args := make([]string, len(charges)), make([]string, 1, 1+3*len(charges))
	args[0] = "0"
	if force {
		args[0] = "1"
	}
	for i, c := range charges {
		keys[i] = b.store.Key(c.key())
		args = append(args, number(c.kind.limit.Maximum), number(c.kind.limit.Restore), number(c.amount))
	}
	result, err := b.store.Run(ctx, takeScript, keys, args)
	if err != nil {
		return 0, Shortage{}, err
	}
	short, available, err := parseTaken(result, len(charges))
	if err != nil {
		return 0, Shortage{}, err
	}
	if short > 0 {
		return available[0], Shortage{charges[short-1], available[short-1]}, nil
	}
	b.takeLocal(true, charges...)
	return available[0], Shortage{}, nil
}

// parseTaken parses the result of the script: the number of the charge that was too much, or 0, and what each bucket
// has.
func parseTaken(result []string, charges int) (short int, available []float64, err error) {
	if len(result) != charges+1 {
		return 0, nil, fmt.Errorf("%d values for %d charges", len(result), charges)
	}
	if short, err = strconv.Atoi(result[0]); err != nil || short < 0 || short > charges {
		return 0, nil, fmt.Errorf("%q is not a charge", result[0])
	}
	for _, text := range result[1:] {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return 0, nil, err
		}
		if math.IsNaN(n) || math.IsInf(n, 0) {
			return 0, nil, fmt.Errorf("a bucket has %q", text)
		}
		available = append(available, n)
	}
	return short, available, nil
}

// key returns the name of the bucket in the store. It contains a hash, so that nobody can read there who has used the
// gateway.
func (c Charge) key() string {
	if c.caller == (share.Caller{}) {
		return c.kind.name
	}
	text := "viewer " + c.caller.Viewer
	switch {
	case c.caller.Viewer == "":
		text = "network " + c.caller.Network.String()
	case c.caller.Tenant != "":
		// Neither a tenant nor a viewer's id contains a control character.
		text = "tenant " + c.caller.Tenant + "\n" + text
	}
	hash := sha256.Sum256([]byte(text))
	return c.kind.name + ":" + base64.RawURLEncoding.EncodeToString(hash[:16])
}

// number formats a number so that Lua reads the same one.
func number(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
