package crowd

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/crowdtest"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// TestTableCommandsBesideSubscribers: a person removes items by hand, and `table repair` or `table load` puts them
// back. Subscribers know what queries read, and neither export nor `table check` has what belongs to the stream.
func TestTableCommandsBesideSubscribers(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, tableSchema())
	settings := []string{"DYNAMODB_ENDPOINT=" + e.Proxy.URL(), "READ_UNITS_BUCKET=0"}
	p, s := processtest.Start(t, settings...), crowdtest.NewService()
	s.Up(p.URL)
	crowd, err := newCrowd(t.Context(), s, 10)
	fatal.If(t, err)
	crowd.begin(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	audience := newAudience(crowd, []*crowdtest.Service{s})
	for _, l := range audience.all {
		group.Go(func() error { return l.run(ctx) })
	}
	if err := audience.await(ctx, (*subscription).hasBegun); err != nil {
		t.Fatal(err, group.Wait())
	}

	items := processtest.Export(t, settings...)
	lines := filepath.Join(t.TempDir(), "items.jsonl")
	fatal.If(t, os.WriteFile(lines, []byte(strings.Join(items, "\n")), 0o600))
	for _, command := range []string{"table repair", "table load " + lines} {
		for _, line := range items {
			if strings.Contains(line, `"PK":{"S":"USER#`) && strings.Contains(line, `"SK":{"S":"ORDER#`) {
				remove(t, e.Table, line)
			}
		}
		audience.wantStates(ctx, t, p.URL)
		if damaged := processtest.Export(t, settings...); len(damaged) == len(items) {
			t.Error("nothing is missing in the table")
		}
		processtest.Run(t, command, settings...)
		audience.wantStates(ctx, t, p.URL)
		if again := processtest.Export(t, settings...); len(again) != len(items) {
			t.Errorf("after %s, the table has %d items, want %d", command, len(again), len(items))
		}
	}
	wantClean(t, settings...)

	audience.closing.Store(true)
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 0", "")
	cancel()
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	t.Log(audience.summary())
}

// remove deletes the item of a line of an export.
func remove(t *testing.T, tb *table.Table, line string) {
	t.Helper()
	var stored struct{ Item map[string]struct{ S string } }
	_ = json.Unmarshal([]byte(line), &stored) // other attributes have other types
	key := map[string]types.AttributeValue{}
	for _, name := range []string{"PK", "SK"} {
		key[name] = &types.AttributeValueMemberS{Value: stored.Item[name].S}
	}
	_, err := tb.Client().DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(tb.Name()), Key: key})
	fatal.If(t, err)
}

// wantStates waits until all subscribers know what queries read.
func (a *audience) wantStates(ctx context.Context, t *testing.T, url string) {
	t.Helper()
	read := map[scope]map[string]string{}
	for _, s := range a.subscriptions() {
		if read[s.scope] == nil {
			read[s.scope] = readScope(ctx, t, a.client, url, s)
		}
		if err := a.awaitProgress(ctx, func() bool { return s.checkState(read[s.scope]) == nil }); err != nil {
			t.Fatalf("%v: %v: %v", s, err, s.checkState(read[s.scope]))
		}
	}
}
