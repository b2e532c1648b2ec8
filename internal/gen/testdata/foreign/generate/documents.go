package main

import (
	"strings"
	"time"
)

// documents: versions v0000001 and so on, and a second item of the newest one under LATEST. No attribute with the
// type. A literal with : is before the ID. Times are milliseconds.
//
// Indexes: none.
func documents() []item {
	var items []item
	for n := range 12 {
		partition := item{"PK": textf("DOC:d%02d", n)}
		items = append(items, partition.with(item{"SK": text("META"), "doc_title": textf("Document %d", n)}))
		var latest item
		for v := 1; v <= n; v++ {
			latest = partition.with(item{
				"SK": textf("v%07d", v), "ver": number(v),
				"saved_ms": number(march.Add(time.Duration(n*v) * 1001 * time.Millisecond).UnixMilli()),
				"content":  text(strings.Repeat("all work and no play ", 1+n*v*v%251)),
			})
			items = append(items, latest)
		}
		if latest != nil {
			items = append(items, latest.with(item{"SK": text("LATEST")}))
		}
	}
	return items
}
