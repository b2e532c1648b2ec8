package sweep_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// rooms is the schema of chat with other keys of channels and of pins.
var rooms = strings.NewReplacer(`pk: "CHANNEL#{name}", sk: "CHANNEL"`, `pk: "ROOM#{name}", sk: "ROOM"`,
	`"PINS#`, `"PINNED#`).Replace(chat)

// TestMigration: objects that are deleted before a migration or while it is not finished are swept afterwards, whether
// it goes to its end or is undone. Nothing else is lost, and nothing comes back.
func TestMigration(t *testing.T) {
	t.Parallel()
	for _, goal := range []migrate.State{migrate.Former, migrate.Latter} {
		t.Run(goal.String(), func(t *testing.T) {
			t.Parallel()
			p := migratetest.NewPair(t, chat, rooms)
			e := p.Start(t)
			at := func(w migratetest.Writer) *world {
				return &world{&tabletest.Engine{Table: w.Table}, w.Design, t.Context}
			}
			tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
			if err := record.Open(tab).Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)); err != nil {
				t.Fatal(err)
			}
			before := at(p.Own(migrate.From, e, nil))
			for _, name := range []string{"before", "during", "kept"} {
				before.fill(t, name, 2)
			}
			before.must(t, "deleteChannel", "id", channelID("before"), "version", 1)
			m, err := run.Open(t.Context(), tab, run.Options{
				Name: "test", Every: 50 * time.Millisecond, Lease: time.Second, Log: slog.New(slog.DiscardHandler),
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Begin(t.Context(), p.To); err != nil {
				t.Fatal(err)
			}
			if err := m.Run(t.Context(), migrate.Switched); err != nil {
				t.Fatal(err)
			}
			during := at(p.Writer(e, migrate.Switched))
			during.must(t, "deleteChannel", "id", channelID("during"), "version", 1)
			during.must(t, "deleteMessage", "id", messageID("kept", "0"))
			for _, name := range []string{"before", "during"} {
				if got, err := during.try("createPin", "channel", name, "title", "c"); !strings.HasPrefix(got, "NOT_FOUND") {
					t.Errorf("a pin of %s: %s, %v", name, got, err)
				}
			}
			if err := m.Run(t.Context(), goal); err != nil {
				t.Fatal(err)
			}
			if err := m.Close(context.Background()); err != nil {
				t.Fatal(err)
			}
			after := at(p.Own(goal.Reads(), e, nil))
			totals := after.sweep(t)
			if got := totals.String(); got != "2 Channel, 4 Message, 4 Pin, 12 Reaction" {
				t.Errorf("removed %s", got)
			}
			report, err := check.Table(t.Context(), scanner(after), check.Options{Design: after.d})
			if err != nil || !report.Clean() {
				t.Errorf("%v %+v", err, report.Violations)
			}
			var left []string
			for _, key := range after.left(t) {
				if !strings.HasPrefix(key, "PARTITA#") {
					left = append(left, key)
				}
			}
			if got := fmt.Sprint(len(left)); got != "11" { // the channel, its claim, a message with 2 × 3 items, two pins
				t.Errorf("%s are left: %s", got, strings.Join(left, ", "))
			}
		})
	}
}
