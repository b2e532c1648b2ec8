package design

// Rule is who may read a type or a field, or call a mutation: everybody whom at least one of its
// parts allows. A nil Rule allows everybody.
type Rule struct {
	// Public allows everybody.
	Public bool
	// SignedIn allows all viewers who are not anonymous.
	SignedIn bool
	// Owner is the stored field, or for a read the argument, with the id of the viewer who is allowed,
	// or "".
	Owner string
	// Roles allows viewers with one of them; sorted.
	Roles []string
}

// IsPublic reports whether the rule allows everybody.
func (r *Rule) IsPublic() bool { return r == nil || r.Public }

// FieldRule is the Rule of a field.
type FieldRule struct {
	Parent, Name string
	Rule         *Rule
}
