package federation

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// executable is the executable schema of a subgraph for gqlgen, whose generated code does not know the fields of one.
type executable struct {
	graphql.ExecutableSchema
	schema *ast.Schema
	sdl    string
}

// Schema implements graphql.ExecutableSchema.
func (e *executable) Schema() *ast.Schema { return e.schema }

// Exec implements graphql.ExecutableSchema. gqlgen executes the operation as rewriter changes it.
func (e *executable) Exec(ctx context.Context) graphql.ResponseHandler {
	given := graphql.GetOperationContext(ctx)
	r := newRewriter(e.schema, given.Doc)
	if !r.isNeeded() {
		return e.ExecutableSchema.Exec(ctx)
	}
	rewritten := &graphql.OperationContext{
		RawQuery: given.RawQuery, Variables: given.Variables, OperationName: given.OperationName,
		Extensions: given.Extensions, Headers: given.Headers,
		DisableIntrospection: given.DisableIntrospection, RecoverFunc: given.RecoverFunc,
		ResolverMiddleware: given.ResolverMiddleware, RootResolverMiddleware: given.RootResolverMiddleware,
		Stats: given.Stats,
	}
	rewritten.Doc, rewritten.Operation = r.rewritten(given.Operation)
	handler := e.ExecutableSchema.Exec(graphql.WithOperationContext(ctx, rewritten))
	return func(ctx context.Context) *graphql.Response {
		response := handler(graphql.WithOperationContext(ctx, rewritten))
		if response != nil && given.Operation.Operation == ast.Query {
			response.Data = e.withServices(response.Data, given)
		}
		return response
	}
}

// withServices returns the data of a query with the values of _service instead of the texts that rewriter has left
// there.
func (e *executable) withServices(data json.RawMessage, given *graphql.OperationContext) json.RawMessage {
	services := map[string]graphql.CollectedField{}
	for _, f := range graphql.CollectFields(given, given.Operation.SelectionSet, []string{e.schema.Query.Name}) {
		if f.Name == design.ServiceField {
			services[f.Alias] = f
		}
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if begin, err := decoder.Token(); len(services) == 0 || err != nil || begin != json.Delim('{') {
		return data // also null
	}
	out := []byte{'{'}
	for decoder.More() {
		name, err := decoder.Token()
		var value json.RawMessage
		if err == nil {
			err = decoder.Decode(&value)
		}
		if err != nil {
			return data // gqlgen writes JSON
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		alias, _ := name.(string)
		out = append(append(append(out, '"'), alias...), '"', ':')
		if f, is := services[alias]; is {
			value = e.service(given, f)
		}
		out = append(out, value...)
	}
	return append(out, '}')
}

// service returns the value of a field _service.
func (e *executable) service(given *graphql.OperationContext, f graphql.CollectedField) json.RawMessage {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, part := range graphql.CollectFields(given, f.Selections, []string{design.ServiceType}) {
		if i > 0 {
			out.WriteByte(',')
		}
		text := e.sdl
		if part.Name == "__typename" {
			text = design.ServiceType
		}
		out.WriteString(`"` + part.Alias + `":`)
		graphql.MarshalString(text).MarshalGQL(&out)
	}
	out.WriteByte('}')
	return out.Bytes()
}
