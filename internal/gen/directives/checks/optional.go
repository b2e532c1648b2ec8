package checks

import (
	"fmt"
	"slices"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/keys"
)

// checkOptional finds a variable that may be unset in the key of an item, in shards, in one of several attributes, or
// where nothing would be left of the key.
func checkOptional(r *checker, f *reading.Key, name string, template keys.Template) {
	segments := template.Segments()
	i := slices.IndexFunc(segments, func(s keys.Segment) bool { return s.Optional })
	if i < 0 {
		return
	}
	ix := r.Names().Index(f.Index)
	var what string
	switch {
	case f.Index == "":
		what = "the key of an item needs each of its values"
	case f.IsSpread():
		what = "a key in shards needs each of its values"
	case len(ix.PK) > 1 || len(ix.SK) > 1:
		what = fmt.Sprintf("index %s has several attributes in a key, and each needs a value", f.Index)
	case i == 0 && segments[0].Literal == "":
		what = "without the value, nothing is left of the key, and DynamoDB stores no empty key"
	default:
		return
	}
	needed := reading.Rewrite(template, func(s keys.Segment) keys.Segment {
		s.Optional = false
		return s
	})
	r.find(f.Position(), f.Of.Name, fmt.Sprintf("%s %q: {%s} may be unset, but %s", name, template, segments[i].Variable,
		what),
		fmt.Sprintf("write %s: %q", name, needed))
}
