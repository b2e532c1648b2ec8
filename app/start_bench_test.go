package app_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// manyTypes is a schema with as many types, each with two access patterns.
func manyTypes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `
extend type Query {
  thing%[1]d(id: ID!): Thing%[1]d @get(pk: "THING%[1]d#{id}", sk: "THING%[1]d#{id}")
  things%[1]d(owner: String!): Thing%[1]dConnection
    @query(index: "GSI1", pk: "OWNER%[1]d#{owner}")
}
type Thing%[1]d implements Node @item(pk: "THING%[1]d#{id}", sk: "THING%[1]d#{id}")
  @index(pk: "OWNER%[1]d#{owner}", sk: "{at}#{id}") {
  id: ID! owner: String! at: Time! title: String size: Int tags: [String!]
}
`, i)
	}
	return b.String()
}

// BenchmarkStart starts `serve DIR` with a table that exists, until /readyz is 200.
func BenchmarkStart(b *testing.B) {
	for _, bench := range []struct{ name, schema string }{{"2types", manyTypes(2)}, {"200types", manyTypes(200)}} {
		b.Run(bench.name, func(b *testing.B) {
			dir := b.TempDir()
			fatal.If(b, os.WriteFile(filepath.Join(dir, "things.graphqls"), []byte(bench.schema), 0o600))
			f, err := folder.Open(dir)
			fatal.If(b, err)
			engine := tabletest.Start(b, table.SchemaOf(f.Schema.Design))
			for b.Loop() {
				start(b, dir, engine.Settings.Endpoint)
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/start")
		})
	}
}

// start starts the program and stops it once it is ready.
func start(b *testing.B, dir, endpoint string) {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(b, err)
	addr := listener.Addr().String()
	fatal.If(b, listener.Close())
	cmd := exec.CommandContext(b.Context(), "partita", "serve", dir)
	cmd.Env = append(os.Environ(), "ADDR="+addr, "DYNAMODB_ENDPOINT="+endpoint)
	fatal.If(b, cmd.Start())
	for range time.Tick(time.Millisecond) {
		response, err := http.Get("http://" + addr + "/readyz")
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				break
			}
		}
	}
	b.StopTimer()
	fatal.If(b, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	b.StartTimer()
}
