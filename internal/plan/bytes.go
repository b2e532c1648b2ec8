package plan

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Upper estimates of the memory of a node in bytes, with its part of the slices that contain it. They are those of
// 64-bit pointers; TestDocumentBytes compares them with the heap.
const (
	// syntaxBytes is a node of the document with its position.
	syntaxBytes = 256
	// commentBytes is a comment with its position.
	commentBytes = 160
	fieldBytes   = 640
	objectBytes  = 320
	// argumentBytes are the arguments of a field without variables.
	argumentBytes = 512
	// planBytes is a plan with the prices that it keeps, priceBytes what a sized field adds to them.
	planBytes  = 4096
	priceBytes = maxPrices * 16
)

// bytes returns an upper estimate of the memory of a plan.
func (p *Plan) bytes() int {
	n := planBytes + p.objects*objectBytes + len(p.sized)*priceBytes
	for _, f := range p.fields {
		n += fieldBytes + len(f.Key)
		if f.static != nil {
			n += argumentBytes + 64*len(f.static.IDs)
		}
	}
	return n
}

// documentBytes returns an upper estimate of the memory of a document with its source text.
func documentBytes(doc *ast.QueryDocument) int {
	nodes := 1
	for _, o := range doc.Operations {
		nodes += 1 + directiveNodes(o.Directives) + selectionNodes(o.SelectionSet)
		for _, v := range o.VariableDefinitions {
			nodes += 3 + valueNodes(v.DefaultValue) + directiveNodes(v.Directives)
		}
	}
	for _, f := range doc.Fragments {
		nodes += 1 + directiveNodes(f.Directives) + selectionNodes(f.SelectionSet)
	}
	source := doc.Operations[0].Position.Src.Input
	return nodes*syntaxBytes + 2*len(source) + strings.Count(source, "#")*commentBytes
}

func selectionNodes(set ast.SelectionSet) int {
	n := 0
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			n += 1 + argumentNodes(s.Arguments) + directiveNodes(s.Directives) + selectionNodes(s.SelectionSet)
		case *ast.InlineFragment:
			n += 1 + directiveNodes(s.Directives) + selectionNodes(s.SelectionSet)
		case *ast.FragmentSpread:
			n += 1 + directiveNodes(s.Directives)
		}
	}
	return n
}

func directiveNodes(directives ast.DirectiveList) int {
	n := len(directives)
	for _, d := range directives {
		n += argumentNodes(d.Arguments)
	}
	return n
}

func argumentNodes(arguments ast.ArgumentList) int {
	n := len(arguments)
	for _, a := range arguments {
		n += valueNodes(a.Value)
	}
	return n
}

func valueNodes(v *ast.Value) int {
	if v == nil {
		return 0
	}
	n := 1
	for _, child := range v.Children {
		n += 1 + valueNodes(child.Value)
	}
	return n
}
