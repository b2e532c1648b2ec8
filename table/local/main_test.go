package local_test

import (
	"log/slog"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
)

// discard is the log of these tests.
var discard = slog.New(slog.DiscardHandler)

// schema is one table with one index.
var schema = table.Schema{Indexes: []string{"GSI1"}}

func TestMain(m *testing.M) {
	if dir := os.Getenv(gatewayDir); dir != "" {
		runGateway(dir)
		return
	}
	// Of the environment, only the engine's path is for these tests.
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "AWS_") || name == "DYNAMODB_ENDPOINT" {
			os.Unsetenv(name)
		}
	}
	os.Setenv("AWS_CONFIG_FILE", os.DevNull)
	os.Setenv("AWS_SHARED_CREDENTIALS_FILE", os.DevNull)
	goleak.VerifyTestMain(m)
}

// stored returns an item of the table with more attributes in pairs of name and text.
func stored(pk, sk string, pairs ...string) item.Item {
	it := item.Item{
		{Name: keys.AttributePK, Value: item.StringValue(pk)},
		{Name: keys.AttributeSK, Value: item.StringValue(sk)},
	}
	for i := 0; i < len(pairs); i += 2 {
		it = append(it, item.Attribute{Name: pairs[i], Value: item.StringValue(pairs[i+1])})
	}
	return it
}
