package reading

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
)

// TransitionsOf returns what the @transitions of an enum's values say; nil if it has none.
func TransitionsOf(def *ast.Definition) *design.Transitions {
	var t *design.Transitions
	for _, v := range def.EnumValues {
		d := v.Directives.ForName("transitions")
		if d == nil {
			continue
		}
		if t == nil {
			t = &design.Transitions{}
		}
		if isStart, _ := sdl.Raw(d, "start").(bool); isStart {
			t.Start = append(t.Start, v.Name)
		}
		if to := TransitionsTo(d); len(to) > 0 {
			t.Next = append(t.Next, design.Transition{From: v.Name, To: to})
		}
	}
	return t
}

// TransitionsTo returns the values that a @transitions lists.
func TransitionsTo(d *ast.Directive) []string {
	var to []string
	for _, v := range sdl.ListOf(sdl.Raw(d, "to")) {
		text, _ := v.(string)
		to = append(to, text)
	}
	return to
}
