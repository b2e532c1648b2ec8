package loaders_test

import (
	"context"
	"fmt"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
	"github.com/partita/partita/viewer"
)

// printed is a table that prints its requests. It is empty.
type printed struct{ loaders.Source }

func (printed) BatchGetItem(_ context.Context, r request.BatchGetItem) (request.Result, error) {
	fmt.Println("BatchGetItem of", len(r.Keys), "keys")
	return request.Result{}, nil
}

func (printed) Now() time.Time { return time.Now() }

// The fields of an operation share requests: books that three fields name are read by one. A resolver gets its part
// with Object, List or Connection.
func Example() {
	schema := testservice.Executable().Schema()
	doc, err := gqlparser.LoadQueryWithRules(schema, `{
		first: book(id: "Qm9vazpiMDAx") { title }
		same: book(id: "Qm9vazpiMDAx") { branch { name } }
		nodes(ids: ["Qm9vazpiMDAy"]) { ... on Book { title } }
	}`, rules.NewDefaultRules())
	if err != nil {
		fmt.Println(err)
		return
	}
	engine := loaders.New(testservice.Design(), schema, printed{}, loaders.Options{})
	bound := engine.Bind(engine.Compile(doc).Plan(doc.Operations[0], nil), nil, viewer.Viewer{ID: "ada"}, nil)
	ctx := engine.Begin(context.Background(), bound)
	engine.Prefetch(ctx)
	fmt.Println(engine.Cost(ctx).Waves, "wave")
	// Output:
	// BatchGetItem of 2 keys
	// 1 wave
}
