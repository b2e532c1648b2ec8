package gateway_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
)

// returning is a schema whose resolvers return other values for the fields with these names.
type returning struct {
	graphql.ExecutableSchema
	values map[string]any
}

// Exec implements graphql.ExecutableSchema.
func (r returning) Exec(ctx context.Context) graphql.ResponseHandler {
	operation := graphql.GetOperationContext(ctx)
	intercept := operation.ResolverMiddleware
	operation.ResolverMiddleware = func(ctx context.Context, next graphql.Resolver) (any, error) {
		return intercept(ctx, func(ctx context.Context) (any, error) {
			if other, has := r.values[graphql.GetFieldContext(ctx).Field.Name]; has {
				return other, nil
			}
			return next(ctx)
		})
	}
	return r.ExecutableSchema.Exec(ctx)
}

// TestLargeInts: an Int beyond 32 bits that a resolver returns is a field error.
func TestLargeInts(t *testing.T) {
	schema := testservice.Schema()
	memory := executors.NewMemory(schema.Items, schema.Design.IndexNames())
	of := func(n int) *int { return &n }
	for _, tt := range []struct {
		name   string
		values map[string]any
		want   []string
	}{
		{"32 bits", map[string]any{"floor": of(-1 << 31), "recommendedCount": 1<<31 - 1},
			[]string{`"data":{"book":{"floor":-2147483648,"recommendedCount":2147483647}}`}},
		{"nullable", map[string]any{"floor": of(1 << 31), "recommendedCount": 1},
			[]string{`"data":{"book":{"floor":null,"recommendedCount":1}}`, `"path":["book","floor"]`}},
		{"not nullable", map[string]any{"recommendedCount": -1<<31 - 1},
			[]string{`"data":{"book":null}`, `"path":["book","recommendedCount"]`, `"code":"INTERNAL_SERVER_ERROR"`}},
	} {
		handler := gateway.New(gateway.Config{
			Schema:       returning{schema.Executable, tt.values},
			Monitoring:   gateway.Monitoring{Logger: slog.New(slog.DiscardHandler)},
			AlwaysGqlgen: true,
			Engine:       loaders.New(schema.Design, schema.Executable.Schema(), memory, loaders.Options{}),
		})
		body, err := executors.Body(testservice.Encoded(`{ book(id: "Book:b001") { floor recommendedCount } }`), nil)
		fatal.If(t, err)
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(string(body)))
		request.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, request)
		for _, want := range tt.want {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %s, want %s", tt.name, w.Body, want)
			}
		}
	}
}
