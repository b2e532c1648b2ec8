package design

import (
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// CanShareKey reports whether an item of one type and one of another type can have the same primary key, as far as
// Design.TypeOf distinguishes them: by the literals of their shapes, and by a number or a time where the other has a
// literal that no number and no time begins with.
func CanShareKey(a *Type, s keys.Shape, b *Type, other keys.Shape) bool {
	return canShareText(a, s.PK, b, other.PK) && canShareText(a, s.SK, b, other.SK)
}

func canShareText(a *Type, s keys.Template, b *Type, other keys.Template) bool {
	if !keys.SamePartition(s, other) {
		return false
	}
	if s.IsOpen() || other.IsOpen() {
		return true
	}
	for i, x := range s.Segments() {
		if y := other.Segments()[i]; !a.canContinue(x, y) || !b.canContinue(y, x) {
			return false
		}
	}
	return true
}

// isLimited reports whether a segment has a variable whose values begin with a digit or a sign.
func (t *Type) isLimited(s keys.Segment) bool {
	a := t.Attribute(s.Variable)
	return a != nil && (a.Kind == keys.Int || a.Kind == keys.Int64 || a.Kind == keys.Time || a.Kind == keys.Date)
}

// canContinue reports whether the value of a segment's variable can be what the literal of another segment has beyond
// its own.
func (t *Type) canContinue(s, other keys.Segment) bool {
	rest, longer := strings.CutPrefix(other.Literal, s.Literal)
	return !longer || rest == "" || !t.isLimited(s) || t.Attribute(s.Variable).Kind.CanBe(rest)
}

// canHave reports whether the values in a key that the shape holds can be values of their fields: {at} holds any text,
// but no Time begins with a letter.
func (t *Type) canHave(s *keys.Shape, key keys.Key) bool {
	return t.canHaveText(s.PK, string(key.PK)) && t.canHaveText(s.SK, string(key.SK))
}

func (t *Type) canHaveText(template keys.Template, text string) bool {
	if !slices.ContainsFunc(template.Segments(), t.isLimited) {
		return true
	}
	values, ok := template.Match(text)
	if !ok {
		if values, ok = template.MatchStored(text); !ok {
			return true
		}
	}
	for i, name := range template.Variables() {
		if a := t.Attribute(name); a != nil && values[i] != "" && !a.Kind.CanBe(values[i]) {
			return false
		}
	}
	return true
}
