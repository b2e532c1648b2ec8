package checks

import (
	"fmt"
	"slices"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/keys"
)

// checkSince finds beginnings of collections that are not in time buckets, and those that are no times.
func checkSince(r *checker) {
	for _, rd := range r.Reads {
		if rd.Since == "" || rd.Directive == nil {
			continue
		}
		if what, fix := sinceFault(rd); what != "" {
			r.find(rd.Directive.Position, rd.Coordinate(), what, fix)
		}
	}
}

func sinceFault(rd *reading.Read) (what, fix string) {
	const remove = "remove since from @query"
	name := rd.SinceVariable()
	if !rd.PK.IsBucketed() {
		return "since is the beginning of time buckets, but the partition key has none", remove
	}
	if name == "" {
		if _, err := keys.ParseMoment(rd.Since); err != nil {
			return fmt.Sprintf("since: %q is no time", rd.Since), `write since: "2026-01-01", or another time or day, ` +
				`or "{createdAt}" for a field of the parent`
		}
		return "", ""
	}
	moments := momentsOf(rd)
	if slices.Contains(moments, name) {
		return "", ""
	}
	likely := finding.Likely(name, moments)
	what = finding.IsLikelyOr(braced(likely), fmt.Sprintf("{%s} names no Time and no Date of the parent", name))
	if likely != "" {
		return what, fmt.Sprintf("write since: %q", braced(likely))
	}
	return what, remove
}

// braced returns a variable as it is written in a schema, "" for "".
func braced(name string) string {
	if name == "" {
		return ""
	}
	return "{" + name + "}"
}

// momentsOf returns the attributes of a field's parent that are times or days.
func momentsOf(rd *reading.Read) []string {
	var names []string
	if rd.ParentType == nil {
		return nil
	}
	for _, a := range rd.ParentType.Attributes {
		if a.Kind == keys.Time || a.Kind == keys.Date {
			names = append(names, a.Name)
		}
	}
	return names
}
