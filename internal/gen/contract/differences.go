package contract

import "github.com/partita/partita/keys/design"

// differences compares the fields that are differences of attributes, or were.
func (d *designs) differences(base, head *design.Type, at positions) {
	for i := range head.Differences {
		is := &head.Differences[i]
		path := head.Name + "." + is.Name
		switch was := base.Difference(is.Name); {
		case was != nil && *was != *is:
			d.dangerous(path, at, "it was %s and is %s", was, is)
		case was == nil && base.Attribute(is.Name) != nil:
			d.dangerous(path, at, "it was stored and is %s: what objects have is not read", is)
		}
	}
	for i := range base.Differences {
		was := &base.Differences[i]
		if a := head.Attribute(was.Name); a != nil && !a.NonNull { // One that is never null needs data, as any new one.
			d.dangerous(head.Name+"."+was.Name, at, "it was %s and is stored: it is null in each stored object", was)
		}
	}
}
