package app

import (
	"errors"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/answer"
	"github.com/partita/partita/exit"
)

// TestExecutorOfAFolder: without generated code, gqlgen cannot execute operations.
func TestExecutorOfAFolder(t *testing.T) {
	a := Application{Schema: answer.NewFolder(&ast.Schema{})}
	for _, command := range []string{"serve", "lambda"} {
		t.Setenv("AWS_LAMBDA_RUNTIME_API", "localhost:1")
		err := a.Run(t.Context(), []string{command, "--executor=gqlgen"})
		failure, is := errors.AsType[*exit.Error](err)
		if !is || failure.Code != exit.Config || !strings.Contains(failure.Fix, "leave out EXECUTOR=gqlgen") {
			t.Errorf("%s: %v", command, err)
		}
	}
}
