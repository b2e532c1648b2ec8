package gen

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// designName is the name of the file with the design in the folder of the typed keys.
const designName = "design_gen.go"

// checkPrevious compares a design with the one that was generated last into the folder. The error is
// directives.Findings if what is stored would not be read any more.
func checkPrevious(d *directives.Schema, typed string) error {
	previous, err := previousTypes(typed)
	if err != nil {
		return err
	}
	if findings := d.CheckShards(previous); len(findings) > 0 {
		return findings
	}
	return nil
}

// previousTypes returns the types of the design that was generated last into the folder, as far as CheckShards of
// package directives needs them, or nil if there is none. It is what gateways have written by until now, and is
// committed with the schema.
//
// The file is parsed, because it is compiled only after it has been generated again.
func previousTypes(typed string) ([]*design.Type, error) {
	path := filepath.Join(typed, designName)
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the design that was generated last cannot be read, "+
			"so it is unknown whether shards have changed: restore %s: %w", path, err)
	}
	var types []*design.Type
	ast.Inspect(file, func(n ast.Node) bool {
		list, is := n.(*ast.CompositeLit)
		if !is || !isSliceOf(list.Type, "Type") {
			return true
		}
		for _, element := range list.Elts {
			types = append(types, previousType(element))
		}
		return false
	})
	return types, nil
}

func previousType(e ast.Expr) *design.Type {
	t := &design.Type{Name: text(member(e, "Name")), Item: shape(member(e, "Item")), Shards: number(member(e, "Shards"))}
	if list, is := member(e, "Indexes").(*ast.CompositeLit); is {
		for _, entry := range list.Elts {
			ix := design.Index{
				Name: text(member(entry, "Name")), Shape: shape(member(entry, "Shape")), Shards: number(member(entry, "Shards")),
			}
			if was, is := member(entry, "Was").(*ast.CompositeLit); is {
				for _, n := range was.Elts {
					ix.Was = append(ix.Was, number(n))
				}
			}
			t.Indexes = append(t.Indexes, ix)
		}
	}
	return t
}

// isSliceOf reports whether a type is []*keys.name.
func isSliceOf(e ast.Expr, name string) bool {
	slice, is := e.(*ast.ArrayType)
	if !is {
		return false
	}
	pointer, is := slice.Elt.(*ast.StarExpr)
	if !is {
		return false
	}
	selector, is := pointer.X.(*ast.SelectorExpr)
	return is && selector.Sel.Name == name
}

// member returns the value of a field in a literal of a struct, or nil.
func member(e ast.Expr, name string) ast.Expr {
	literal, is := e.(*ast.CompositeLit)
	if !is {
		return nil
	}
	for _, element := range literal.Elts {
		pair, is := element.(*ast.KeyValueExpr)
		if !is {
			continue
		}
		if key, is := pair.Key.(*ast.Ident); is && key.Name == name {
			return pair.Value
		}
	}
	return nil
}

// text returns the value of a literal text, "" for any other expression.
func text(e ast.Expr) string {
	literal, is := e.(*ast.BasicLit)
	if !is {
		return ""
	}
	s, err := strconv.Unquote(literal.Value)
	if err != nil {
		return ""
	}
	return s
}

// number returns the value of a literal number, 0 for any other expression.
func number(e ast.Expr) int {
	literal, is := e.(*ast.BasicLit)
	if !is {
		return 0
	}
	n, err := strconv.Atoi(literal.Value)
	if err != nil {
		return 0
	}
	return n
}

// shape returns the templates of a literal of keys.Shape.
func shape(e ast.Expr) keys.Shape {
	template := func(name string) keys.Template {
		call, is := member(e, name).(*ast.CallExpr)
		if !is || len(call.Args) != 1 {
			return keys.Template{}
		}
		t, err := keys.ParseTemplate(text(call.Args[0]))
		if err != nil {
			return keys.Template{}
		}
		return t
	}
	return keys.Shape{PK: template("PK"), SK: template("SK")}
}
