package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/partita/partita/internal/fragments"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
)

// Files are what an operator has written about tools.
type Files struct {
	// Documents have operations and their fragments, in any of them.
	Documents []*ast.Source
	// Manifests are persisted-query manifests.
	Manifests [][]byte
	// Settings is the file SettingsFile; nil for the defaults.
	Settings []byte
}

// API is what the tools are for.
type API struct {
	// Schema is the schema to serve.
	Schema *ast.Schema
	// Design has the mutations without hand-written Go.
	Design *design.Design
	// Price returns what an operation in a document costs at worst.
	Price func(name, document string) (plan.Price, error)
}

// Tools are the operations that agents may call.
type Tools struct {
	Settings
	// LeftOut are the operations that are no tools: mutations and subscriptions that the settings do not name.
	LeftOut []string

	api      *ast.Schema
	manifest *document.Manifest
	tools    []*tool
}

// tool is an operation as a tool.
type tool struct {
	name, description string
	body              string
	operation         *ast.OperationDefinition
	input             *jsonschema.Schema
	annotations       *mcp.ToolAnnotations
}

// Names of tools that are no operations.
const (
	priceTool  = "price"
	searchTool = "search_schema"
	queryTool  = "query"
)

// maxToolName is the length of the longest name that clients accept.
const maxToolName = 64

var toolName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Parse returns the tools in files. The operations must be valid in the schema; the error names all that are not.
func Parse(files Files, api API) (*Tools, error) {
	settings, err := readSettings(files.Settings)
	if err != nil {
		return nil, err
	}
	t := &Tools{Settings: settings, api: plan.API(api.Schema)}
	operations, comments, err := operationsIn(files)
	if err != nil {
		return nil, err
	}
	operations = slices.DeleteFunc(operations, func(o document.ManifestOperation) bool {
		if t.isAllowed(ast.Operation(o.Type), o.Name) {
			return false
		}
		t.LeftOut = append(t.LeftOut, o.Name)
		return true
	})
	if t.manifest, err = document.NewManifest(operations, api.Schema); err != nil {
		return nil, err
	}
	for _, o := range operations {
		made, err := t.newTool(o, comments[o.ID], api)
		if err != nil {
			return nil, fmt.Errorf("operation %q: %w", o.Name, err)
		}
		t.tools = append(t.tools, made)
	}
	return t, t.check()
}

// isAllowed reports whether the settings let an operation be a tool.
func (t *Tools) isAllowed(kind ast.Operation, name string) bool {
	switch kind {
	case ast.Mutation:
		return slices.Contains(t.Mutations, name)
	case ast.Subscription:
		return slices.Contains(t.Subscriptions, name)
	}
	return true
}

// check returns an error for names that are wrong or missing.
func (t *Tools) check() error {
	seen := map[string]bool{priceTool: true, searchTool: true, queryTool: true}
	for _, made := range t.tools {
		switch {
		case len(made.name) > maxToolName || !toolName.MatchString(made.name):
			return fmt.Errorf("operation %q: a tool needs a name of at most %d letters, digits and _", made.name, maxToolName)
		case seen[made.name]:
			return fmt.Errorf("two tools have the name %q", made.name)
		}
		seen[made.name] = true
	}
	for kind, names := range map[ast.Operation][]string{
		ast.Mutation: t.Mutations, ast.Subscription: t.Subscriptions,
	} {
		for _, name := range names {
			if !slices.ContainsFunc(t.tools, func(made *tool) bool {
				return made.name == name && made.operation.Operation == kind
			}) {
				return fmt.Errorf("%s: there is no %s %q", SettingsFile, kind, name)
			}
		}
	}
	if len(t.tools) == 0 && !t.Query && !t.Search {
		return errors.New("there is no operation that can be a tool")
	}
	return nil
}

// operationsIn returns the operations in files, each as a document of its own, and the comments above them by their
// ids.
func operationsIn(files Files) (
	operations []document.ManifestOperation, comments map[string]*ast.CommentGroup, err error,
) {
	all := &ast.QueryDocument{}
	for _, source := range files.Documents {
		parsed, err := parser.ParseQuery(source)
		if err != nil {
			return nil, nil, gqlerror.WrapIfUnwrapped(err)
		}
		all.Operations = append(all.Operations, parsed.Operations...)
		all.Fragments = append(all.Fragments, parsed.Fragments...)
	}
	comments = map[string]*ast.CommentGroup{}
	for _, o := range all.Operations {
		if o.Name == "" {
			return nil, nil, fmt.Errorf("%s:%d: an operation without a name cannot be a tool",
				o.Position.Src.Name, o.Position.Line)
		}
		var body strings.Builder
		formatter.NewFormatter(&body).FormatQueryDocument(&ast.QueryDocument{
			Operations: ast.OperationList{o}, Fragments: fragments.Used(o.SelectionSet, all.Fragments),
		})
		operations = append(operations, document.ManifestOperation{
			ID: o.Name, Name: o.Name, Type: string(o.Operation), Body: body.String(),
		})
		comments[o.Name] = o.Comment
	}
	for _, file := range files.Manifests {
		listed, err := document.ReadManifest(file)
		if err != nil {
			return nil, nil, err
		}
		operations = append(operations, listed...)
	}
	return operations, comments, nil
}

func (t *Tools) newTool(o document.ManifestOperation, comment *ast.CommentGroup, api API) (*tool, error) {
	parsed := t.manifest.Document(o.ID)
	operation := parsed.Operations[0]
	worst, err := api.Price(o.Name, o.Body)
	if err != nil {
		return nil, err
	}
	made := &tool{
		name: o.Name, body: o.Body, operation: operation,
		description: describe(operation, comment, worst),
		input:       newInputs(t.api, parsed).ofVariables(),
		annotations: annotationsOf(operation, api.Design),
	}
	if made.isSubscription() {
		addFollowing(made.input)
	}
	return made, nil
}

func (t *tool) isSubscription() bool { return t.operation.Operation == ast.Subscription }

// read returns the variables of a call, and how a subscription is followed. An error is for arguments that are neither,
// which GraphQL would ignore.
func (t *tool) read(arguments json.RawMessage) (variables json.RawMessage, f following, err *response.Error) {
	var given map[string]json.RawMessage
	if len(arguments) > 0 {
		if err := read(arguments, &given); err != nil {
			return nil, f, err
		}
	}
	if t.isSubscription() {
		if f, err = takeFollowing(given); err != nil {
			return nil, f, err
		}
		if arguments, cause := json.Marshal(given); cause == nil {
			variables = arguments
		}
	} else {
		variables = arguments
	}
	for name := range given {
		if t.operation.VariableDefinitions.ForName(name) == nil {
			return nil, f, response.Errorf(http.StatusUnprocessableEntity, response.CodeBadUserInput,
				"%s has no argument %.64q. It has: %s.", t.name, name, strings.Join(t.input.PropertyOrder, ", "))
		}
	}
	return variables, f, nil
}
