package design

import (
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/predicate"
)

// Member is a part of a Rule: it allows the viewers who have an item of Type under the key that follows from their id
// and from the object.
type Member struct {
	// Word is how rules name it, such as MEMBER.
	Word string
	// Type is the stored type of the item.
	Type string
	// PK and SK are the templates of the item's key, base or copy. {viewer} is the id of the viewer. Other variables are
	// stored fields of the object; of the rule of a field, its Arguments and else stored fields of its parent.
	PK, SK    keys.Template
	Arguments []keys.Argument
	// Where is a predicate about the item, or "".
	Where string
}

// membership is a Member of a Design: the Get of its item, and what must hold for it.
type membership struct {
	get   *Field
	where predicate.Predicate
}

// MemberGet returns the field that reads the item of a member of a rule of the design.
func (d *Design) MemberGet(m *Member) *Field { return d.members[m].get }

// MemberFields returns the fields of a member's item that its predicate names.
func (d *Design) MemberFields(m *Member) []string { return d.members[m].where.Fields() }
