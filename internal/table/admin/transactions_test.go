package admin_test

import (
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
)

// TestCheckTransactions: an endpoint without transactions is recognised, and nothing else is taken for one.
func TestCheckTransactions(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	if err := admin.CheckTransactions(t.Context(), e.Table); err != nil {
		t.Error(err)
	}
	if n := e.Proxy.Counts().Requests["TransactGetItems"]; n != 1 {
		t.Errorf("%d transactions were sent", n)
	}
	for _, code := range []string{"AccessDeniedException", "ThrottlingException", "InternalServerError"} {
		e.Proxy.Inject(tabletest.Faults{ErrorCode: code})
		if err := admin.CheckTransactions(t.Context(), e.Table); err != nil {
			t.Errorf("%s: %v", code, err)
		}
	}
	for _, code := range []string{"UnknownOperationException", "ValidationException"} {
		e.Proxy.Inject(tabletest.Faults{ErrorCode: code})
		tabletest.WantExitError(t, admin.CheckTransactions(t.Context(), e.Table), exit.Config,
			"has no transactions", code, "DynamoDB Local")
	}
}
