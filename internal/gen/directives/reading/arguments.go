package reading

import (
	"slices"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// resolveArguments sets the arguments of each matched read that are variables of its condition. All
// others are faults, which checkArguments finds.
func (r *Access) resolveArguments() {
	for _, rd := range r.Reads {
		if len(rd.Matches) == 0 {
			continue
		}
		next := r.Next(rd)
		for _, a := range rd.Def.Arguments {
			kind, ranged := r.ArgumentKind(a)
			of := next
			if slices.Contains(rd.Variables(), a.Name) {
				of = Attribute(rd.Matches[0], a.Name)
			} else if a.Name != next || !ranged {
				continue
			}
			argument := keys.Argument{Name: a.Name, Kind: kind, Range: ranged}
			if stored := rd.Matches[0].Type.Attribute(of); stored != nil && kind == keys.IDKind {
				argument.Ref = stored.Ref
			}
			rd.Arguments = append(rd.Arguments, argument)
		}
	}
}

// Next returns the attribute that a range argument of the read bounds.
func (r *Access) Next(rd *Read) string {
	if rd.Kind != design.Query || len(rd.Matches) == 0 {
		return ""
	}
	resolved, err := design.Resolve(r.KeyTypes(), rd.Field)
	if err != nil {
		return ""
	}
	return resolved.Next()
}
