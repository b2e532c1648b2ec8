package gen

import (
	"go/ast"
	"go/parser"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/templates"
)

// stub is the beginning of the body that gqlgen writes for a resolver.
const stub = `panic(fmt.Errorf("not implemented: `

// isUnedited reports whether the method with a receiver is as it was generated for any state of the schema: a
// stub, a body that somebody has emptied, or a read. field is the field that the method resolves, nil if the
// schema no longer has it.
func isUnedited(s *schema, f *goFile, receiver string, m *ast.FuncDecl, field *codegen.Field) bool {
	body := f.body(m)
	if body == "" || strings.HasPrefix(body, stub) {
		return true
	}
	if len(m.Body.List) != 1 {
		return false
	}
	// A comment inside of the body is an edit.
	text, isReturn := strings.CutPrefix(body, "return ")
	if inside, err := parser.ParseExpr(text); err == nil && isReturn {
		g := generatedRead{
			schema:  s,
			imports: func(path string) string { return f.packageName(path, s.data.Config.Packages.NameForPackage) },
			binds:   bindFuncs(s, receiver, m.Name.Name, field),
			params:  paramNames(m),
		}
		hasComment := slices.ContainsFunc(f.syntax.Comments, func(c *ast.CommentGroup) bool {
			return c.Pos() > m.Body.Lbrace && c.End() < m.Body.Rbrace
		})
		return !hasComment && g.matches(inside)
	}
	return false
}

// bindFuncs returns the functions of the typed keys that a read resolver may have been generated with, in lower
// case.
func bindFuncs(s *schema, receiver, method string, field *codegen.Field) []string {
	object := strings.TrimSuffix(receiver, templates.UcFirst(s.data.Config.Resolver.Type))
	names := []string{strings.ToLower(templates.ToGo(object) + method), strings.ToLower(nodesFunc(object))}
	if field != nil {
		// gqlgen.yml may set another Go name than that of the field.
		names = append(names, strings.ToLower(templates.ToGo(field.Object.Name)+templates.ToGo(field.Name)))
	}
	return names
}

func paramNames(m *ast.FuncDecl) []string {
	var names []string
	for _, param := range m.Type.Params.List {
		for _, name := range param.Names {
			names = append(names, name.Name)
		}
	}
	return names
}

// generatedRead recognises the expression of a read resolver by its shape, since one that was generated for an
// older schema differs in functions and values from what would be generated now:
//
//	loaders.Connection(ctx, typed.UserOrders(obj.ID, createdAt), loaders.Paging{First: first}, model.NewOrderConnection)
type generatedRead struct {
	*schema
	// imports returns the name by which the file refers to the package with an import path.
	imports func(path string) string
	binds   []string
	params  []string
}

func (g generatedRead) matches(e ast.Expr) bool {
	call, is := e.(*ast.CallExpr)
	if is && len(call.Args) == 2 && g.selected(call.Fun, loadersPath) == "Mutate" {
		_, is := call.Args[1].(*ast.FuncLit)
		return is
	}
	if !is || len(call.Args) < 3 || !isIdent(call.Args[0], "ctx") || !g.isKey(call.Args[1]) {
		return false
	}
	rest := call.Args[2:]
	switch g.selected(call.Fun, loadersPath) {
	case "Object", "Objects", "List":
	case "Connection":
		if len(rest) != 2 || !g.isPaging(rest[0]) {
			return false
		}
		rest = rest[1:]
	default:
		return false
	}
	return len(rest) == 1 && g.isConstructor(rest[0])
}

// selected returns the name that an expression selects from the package with an import path, or "".
func (g generatedRead) selected(e ast.Expr, path string) string {
	s, is := e.(*ast.SelectorExpr)
	if !is || g.imports(path) == "" || !isIdent(s.X, g.imports(path)) {
		return ""
	}
	return s.Sel.Name
}

// isKey reports whether an expression is the key condition of the method's field, with plain values.
func (g generatedRead) isKey(e ast.Expr) bool {
	if literal, is := e.(*ast.CompositeLit); is {
		return g.selected(literal.Type, designPath) == "BoundField" // that of a payload
	}
	call, is := e.(*ast.CallExpr)
	return is && slices.Contains(g.binds, strings.ToLower(g.selected(call.Fun, g.typedPath))) &&
		!slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return !g.isValue(a) })
}

// isValue reports whether an expression is a parameter of the method, an attribute of one, or the viewer's id.
func (g generatedRead) isValue(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return slices.Contains(g.params, e.Name)
	case *ast.SelectorExpr:
		if call, is := e.X.(*ast.CallExpr); is {
			return e.Sel.Name == "ID" && g.selected(call.Fun, viewerPath) == "FromContext"
		}
		return g.isValue(e.X)
	default:
		return false
	}
}

func (g generatedRead) isPaging(e ast.Expr) bool {
	literal, is := e.(*ast.CompositeLit)
	if !is || g.selected(literal.Type, loadersPath) != "Paging" {
		return false
	}
	for _, element := range literal.Elts {
		pair, is := element.(*ast.KeyValueExpr)
		if !is {
			return false
		}
		value := pair.Value
		if address, is := value.(*ast.UnaryExpr); is {
			value = address.X
		}
		if name, is := pair.Key.(*ast.Ident); !is || !isIdent(value, templates.LcFirst(name.Name)) {
			return false
		}
	}
	return true
}

// isConstructor reports whether an expression is a function that fills a model, or one that returns such a
// function for a counter of the parent.
func (g generatedRead) isConstructor(e ast.Expr) bool {
	if call, is := e.(*ast.CallExpr); is {
		return len(call.Args) == 1 && g.isValue(call.Args[0]) && g.isConstructor(call.Fun)
	}
	return strings.HasPrefix(g.selected(e, g.data.Config.Model.ImportPath()), "New")
}

func isIdent(e ast.Expr, name string) bool {
	ident, is := e.(*ast.Ident)
	return is && ident.Name == name
}
