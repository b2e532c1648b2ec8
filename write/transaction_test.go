package write_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

func TestCheckTransaction(t *testing.T) {
	t.Parallel()
	puts := func(n, bytes int) []write.Action {
		actions := make([]write.Action, n)
		for i := range actions {
			actions[i] = write.PutItem(append(list(fmt.Sprintf("P%d", i)),
				item.Attribute{Name: "text", Value: item.StringValue(strings.Repeat("x", bytes))}))
		}
		return actions
	}
	again := write.DeleteItem(keys.Key{PK: "P1", SK: "LIST"})
	long := item.Value{Kind: item.Number, Text: strings.Repeat("9", 39)}
	changed := write.Action{Key: again.Key, Set: item.Item{{Name: "n", Value: long}}}
	for name, tt := range map[string]struct {
		tx      write.Transaction
		message string
	}{
		"none":     {write.Transaction{}, "a transaction of 0 actions; 1 to 100 are possible"},
		"too many": {write.Transaction{Actions: puts(101, 1)}, "a transaction of 101 actions"},
		"large":    {write.Transaction{Actions: puts(1, 400<<10)}, "action 0 of a transaction writes"},
		"together": {write.Transaction{Actions: puts(11, 390<<10)}, "at most 4194304 are possible"},
		"twice": {
			write.Transaction{Actions: append(puts(2, 1), again)},
			"actions 1 and 2 of a transaction are on one item",
		},
		"token":    {write.Transaction{Actions: puts(1, 1), Token: strings.Repeat("x", 37)}, "a token of 37 characters"},
		"no PK":    {write.Transaction{Actions: []write.Action{{}}}, "a partition key of 0 bytes"},
		"a number": {write.Transaction{Actions: []write.Action{changed}}, "at most 38 significant digits"},
		"possible": {write.Transaction{Actions: puts(100, 1), Token: strings.Repeat("x", 36)}, ""},
	} {
		err := tt.tx.Check()
		if (err != nil) != (tt.message != "") || err != nil && !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%s: got %v, want %q", name, err, tt.message)
		}
	}
}
