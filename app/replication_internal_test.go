package app

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys/design"
)

// TestReplicatedTables: mutations that need transactions are not served where there are none, and what holds only if
// one Region writes is a warning.
func TestReplicatedTables(t *testing.T) {
	t.Parallel()
	f, err := folder.Open("../examples/booking")
	fatal.If(t, err)
	var booking Application
	booking.use(f)
	needs := booking.transactions()
	if want := []string{"bookSeat", "cancelBooking", "transfer"}; !slices.Equal(needs, want) {
		t.Fatalf("%v need a transaction, want %v", needs, want)
	}
	single := booking // The others are hand-written.
	only := *booking.Design
	single.Design = &only
	only.Mutations = slices.DeleteFunc(slices.Clone(only.Mutations), func(m *design.Mutation) bool {
		return slices.Contains(needs, m.Name)
	})
	strong := admin.Facts{IsGlobal: true, IsStrong: true}
	eventual := admin.Facts{IsGlobal: true, Regions: []string{"eu-west-1"}}
	for name, c := range map[string]struct {
		of      Application
		facts   admin.Facts
		problem []string // none if it is served
		logged  []string // none for no line
	}{
		"one Region": {booking, admin.Facts{Bytes: 1 << 40}, nil, nil},
		"MREC": {booking, eventual, nil, []string{
			"level=WARN", "the table is replicated: counters, unique values and versions hold if one Region writes",
			"replicas=[eu-west-1]", "see=docs/how-to/global-tables.md",
		}},
		"MRSC": {booking, strong, append([]string{"table \"shop\" has multi-Region strong consistency"}, needs...), nil},
		"MRSC, single writes": {single, strong, nil, append([]string{
			"level=WARN", "transactions of hand-written mutations fail",
		}, needs...)},
		"small, with local indexes": {booking, admin.Facts{Bytes: 4 << 30, LocalIndexes: []string{"byTitle"}}, nil, nil},
		"large, with local indexes": {booking, admin.Facts{Bytes: 5 << 30, LocalIndexes: []string{"byTitle"}}, nil, []string{
			"level=WARN", "at most 10 GB", "indexes=[byTitle] tableBytes=5368709120",
		}},
	} {
		var log bytes.Buffer
		err := c.of.checkFacts(t.Context(), "shop", c.facts, slog.New(slog.NewTextHandler(&log, nil)))
		if c.problem != nil {
			tabletest.WantExitError(t, err, exit.Config, c.problem...)
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.logged == nil && log.Len() > 0 {
			t.Errorf("%s: the log has %s", name, log.String())
		}
		for _, part := range c.logged {
			if !strings.Contains(log.String(), part) {
				t.Errorf("%s: the log has no %s: %s", name, part, log.String())
			}
		}
	}
}
