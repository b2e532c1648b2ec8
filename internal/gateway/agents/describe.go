package agents

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
)

// describe returns the description of a tool: what its author has written above the operation, or else what the schema
// says about its root fields, and its price at worst. Nothing of it is stored.
func describe(o *ast.OperationDefinition, comment *ast.CommentGroup, worst plan.Price) string {
	text := textOf(comment)
	if text == "" {
		var parts []string
		for _, f := range rootFields(o.SelectionSet) {
			if f.Definition != nil && f.Definition.Description != "" {
				parts = append(parts, sentence(f.Definition.Description))
			}
		}
		text = strings.Join(parts, " ")
	}
	text = sentence(text)
	if o.Operation == ast.Subscription {
		text += " " + describeFollowing(priceOf(worst))
	} else {
		text += "\nCosts at most " + priceOf(worst).String() + "."
	}
	return strings.TrimSpace(text)
}

// textOf returns the text of a comment as one paragraph.
func textOf(comment *ast.CommentGroup) string {
	if comment == nil {
		return ""
	}
	var lines []string
	for _, c := range comment.List {
		if line := strings.TrimSpace(strings.TrimLeft(c.Text(), "#")); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

// sentence adds a full stop.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

// rootFields returns the fields of the root type in a selection.
func rootFields(set ast.SelectionSet) []*ast.Field {
	var fields []*ast.Field
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			fields = append(fields, s)
		case *ast.InlineFragment:
			fields = append(fields, rootFields(s.SelectionSet)...)
		case *ast.FragmentSpread:
			fields = append(fields, rootFields(s.Definition.SelectionSet)...)
		}
	}
	return fields
}

// annotationsOf returns what clients show before a call, by the meaning of the protocol. A mutation destroys nothing if
// all that it does is to create objects, and repeats if a second call changes nothing: an update sets values, and what
// is deleted stays deleted. An action may do anything, and hand-written Go may also reach beyond the table.
//
// https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations
func annotationsOf(o *ast.OperationDefinition, d *design.Design) *mcp.ToolAnnotations {
	fields := rootFields(o.SelectionSet)
	if o.Operation != ast.Mutation {
		open := o.Operation == ast.Query && slices.ContainsFunc(fields, func(f *ast.Field) bool {
			return !strings.HasPrefix(f.Name, "__") && d.Field("Query", f.Name) == nil
		})
		return &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &open}
	}
	destroys, open := false, false
	a := &mcp.ToolAnnotations{DestructiveHint: &destroys, IdempotentHint: true, OpenWorldHint: &open}
	for _, f := range fields {
		m := d.Mutation(f.Name)
		creates := m != nil && m.Kind == design.CreateMutation
		repeats := m != nil && (m.Kind == design.UpdateMutation || m.Kind == design.DeleteMutation)
		destroys, open = destroys || !creates, open || m == nil
		a.IdempotentHint = a.IdempotentHint && repeats
	}
	return a
}

// prices is what a call costs at worst.
type prices struct {
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
	Objects    float64 `json:"objects"`
	Requests   int     `json:"requests"`
	Waves      int     `json:"waves"`
}

func priceOf(p plan.Price) prices {
	return prices{p.ReadUnits, p.WriteUnits, p.Objects, p.Requests, p.Waves}
}

// dearest returns a price that is at least both.
func dearest(a, b plan.Price) plan.Price {
	a.ReadUnits, a.WriteUnits = max(a.ReadUnits, b.ReadUnits), max(a.WriteUnits, b.WriteUnits)
	a.Objects, a.Requests, a.Waves = max(a.Objects, b.Objects), max(a.Requests, b.Requests), max(a.Waves, b.Waves)
	return a
}

// String returns the price in words.
func (p prices) String() string {
	parts := []string{number(p.ReadUnits, "read unit")}
	if p.WriteUnits > 0 {
		parts = append(parts, number(p.WriteUnits, "write unit"))
	}
	return fmt.Sprintf("%s and %s, in %s and %s", strings.Join(parts, ", "), number(p.Objects, "object"),
		number(float64(p.Requests), "request"), number(float64(p.Waves), "wave"))
}

// number returns a number without an exponent and what it counts.
func number(n float64, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.FormatFloat(n, 'f', -1, 64) + " " + what
}

// describeFollowing describes what a subscription does as a tool, and what it costs at worst.
func describeFollowing(worst prices) string {
	return fmt.Sprintf("A call follows it until %s or %s, and returns all that has come.\n"+
		"The present state and each change cost at most %s.", argumentEvents, argumentSeconds, worst)
}
