package write_test

import (
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/write"
)

// BenchmarkItems measures what each write of an object begins with: its items.
func BenchmarkItems(b *testing.B) {
	given := attributes(text("assignee", "ada"), text("text", "The printer is on fire"))
	b.ReportAllocs()
	for b.Loop() {
		items, err := write.Items(ticket, given)
		fatal.If(b, err)
		_ = write.Create(tickets, items)
	}
}
