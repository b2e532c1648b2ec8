package main

import (
	"fmt"
	"time"
)

// devices: a partition for each device and month. Segments are joined by ::. Times are seconds since 1970, and the
// sort key of the index is a Number. Several sensors measure at the same time; which one it was is only in the key.
//
// Indexes: device-ts.index (device, ts), all attributes.
func devices() []item {
	var items []item
	for _, d := range []struct {
		id       string
		readings int
	}{{"attic", 120}, {"cellar", 17}, {"garage", 0}} {
		items = append(items, item{
			"hash_key": textf("DEV::%s", d.id), "range_key": textf("DEV::%s", d.id), "_et": text("dev"),
			"location": textf("the %s", d.id),
		})
		for n := range d.readings {
			// Three sensors every four days, over seven months. One of them is empty.
			at := time.Date(2025, time.October, 3, 6, 30, 0, 0, time.UTC).AddDate(0, 0, 4*(n/3))
			if at.Month() == time.January {
				continue
			}
			items = append(items, item{
				"hash_key": textf("DEV::%s::%s", d.id, at.Format("2006-01")), "range_key": textf("R::%d::t%d", at.Unix(), n%3),
				"_et": text("rdg"), "device": text(d.id), "ts": number(at.Unix()), "celsius": number(float64(n%40) / 4),
			})
		}
	}
	for n := range 2 {
		lock := fmt.Sprintf("LOCK::writer-%d", n)
		items = append(items, item{"hash_key": text(lock), "range_key": text(lock), "until": number(march.Unix())})
	}
	return items
}
