package admin_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

// TestCheckMutations: an endpoint that has what mutations need gets one request, and changes nothing. Without
// transactions it is recognised, and no other error is taken for that.
func TestCheckMutations(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	check(t, e, "TransactWriteItems 1", "GetItem 1")
	for _, code := range []string{"AccessDeniedException", "ThrottlingException", "InternalServerError"} {
		e.Proxy.Inject(tabletest.Faults{ErrorCode: code})
		if err := admin.CheckMutations(t.Context(), e.Table); err != nil {
			t.Errorf("%s: %v", code, err)
		}
	}
	for _, code := range []string{"UnknownOperationException", "ValidationException"} {
		e.Proxy.Inject(tabletest.Faults{ErrorCode: code})
		tabletest.WantExitError(t, admin.CheckMutations(t.Context(), e.Table), exit.Config,
			"has no transactions", code, "DynamoDB Local")
	}
	e.Proxy.Inject(tabletest.Faults{})
	putRecord(t, e.Table)
	check(t, e, "TransactWriteItems 1", "UpdateItem 1")
}

// TestCheckMutationsOfAllKeys: the keys of a table may be Numbers, or have no sort key.
func TestCheckMutationsOfAllKeys(t *testing.T) {
	t.Parallel()
	for _, kind := range tabletest.KeyTables() {
		e := tabletest.Start(t, table.SchemaOf(kind.Design))
		putRecord(t, e.Table)
		check(t, e, "TransactWriteItems 1", "UpdateItem 1")
	}
}

// check wants a check without an error that sends these requests, with their numbers.
func check(t *testing.T, e *tabletest.Engine, requests ...string) {
	t.Helper()
	e.Proxy.Reset()
	if err := admin.CheckMutations(t.Context(), e.Table); err != nil {
		t.Error(err)
	}
	counts := e.Proxy.Counts()
	for _, request := range requests {
		name, n, _ := strings.Cut(request, " ")
		if got := strconv.Itoa(counts.Requests[name]); got != n {
			t.Errorf("%s %s were sent, want %s", got, name, n)
		}
	}
	if counts.Total() != len(requests) {
		t.Errorf("the requests were %v", counts.Requests)
	}
}

// putRecord stores an item under the key of the record of the table's design.
func putRecord(t *testing.T, to *table.Table) {
	t.Helper()
	layout := to.Schema().Layout()
	_, err := to.Client().PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(to.Name()), Item: attribute.FromKey(layout, layout.RecordKey()),
	})
	fatal.If(t, err)
}

// TestEndpointsThatLackSomething: servers in front of the engine that answer as others do, which know an operation and
// not all of it.
func TestEndpointsThatLackSomething(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	putRecord(t, e.Table)
	for name, test := range map[string]struct {
		operation string
		field     string // the field that errors do not have; "" for an answer without an error
		want      string
	}{
		"transactions ignore conditions": {"TransactWriteItems", "", "carries out transactions whose condition fails"},
		"writes ignore conditions":       {"UpdateItem", "", "carries out writes whose condition fails"},
		"no reasons": {
			"TransactWriteItems", "CancellationReasons", "does not say which condition of a transaction failed",
		},
		"no item of a transaction": {
			"TransactWriteItems", "Item", "does not return the item whose condition failed in a transaction",
		},
		"no item of a write": {"UpdateItem", "Item", "does not return the item whose condition failed"},
	} {
		s := e.Settings
		s.Endpoint = lacking(t, s.Endpoint, test.operation, test.field)
		other, err := table.Open(t.Context(), s, schema, slog.New(slog.DiscardHandler))
		fatal.If(t, err)
		t.Run(name, func(t *testing.T) {
			tabletest.WantExitError(t, admin.CheckMutations(t.Context(), other), exit.Config, test.want, "mutations need")
		})
		fatal.If(t, other.Close())
	}
	e.Proxy.Reset()
	if err := admin.CheckMutations(t.Context(), e.Table); err != nil {
		t.Error(err)
	}
}

// lacking returns the address of a server in front of an endpoint that leaves a field out of the errors of an
// operation, or with "" answers it without one.
func lacking(t *testing.T, endpoint, operation, field string) string {
	t.Helper()
	to, err := url.Parse(endpoint)
	fatal.If(t, err)
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ModifyResponse = func(r *http.Response) error {
		if !strings.HasSuffix(r.Request.Header.Get("X-Amz-Target"), "."+operation) || r.StatusCode == http.StatusOK {
			return nil
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		changed := bytes.ReplaceAll(body, []byte(`"`+field+`":`), []byte(`"other":`))
		if field == "" {
			changed, r.StatusCode = []byte("{}"), http.StatusOK
		}
		if bytes.Equal(body, changed) {
			t.Errorf("the error of %s is not changed: %s", operation, body)
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(changed)), int64(len(changed))
		r.Header.Set("Content-Length", strconv.Itoa(len(changed)))
		r.Header.Del("X-Amz-Crc32")
		return nil
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server.URL
}
