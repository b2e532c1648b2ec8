package main

import "time"

// teams: a membership is one item, and an index with the table's keys swapped reads it from the other side. No
// attribute with the type. The ID of a person follows a literal that is no segment of its own: USER#-u01.
//
// Indexes: inverted (sk, pk), all attributes.
func teams() []item {
	var items []item
	for n := range 25 {
		person := textf("USER#-u%02d", n)
		items = append(items, item{"pk": person, "sk": person, "name": textf("%s %d", names[n%len(names)], n)})
	}
	for t := range 7 {
		var members []item
		for n := range 25 {
			// Everybody is in team 0, nobody in team 6.
			if t == 6 || t > 0 && (n+t)%(t+1) != 0 {
				continue
			}
			members = append(members, item{
				"pk": textf("TEAM#t%d", t), "sk": textf("USER#-u%02d", n),
				"joined": number(march.Add(time.Duration(t*n) * time.Hour).Unix()),
			})
		}
		items = append(items, item{
			"pk": textf("TEAM#t%d", t), "sk": textf("TEAM#t%d", t), "label": textf("Team %d", t), "size": number(len(members)),
		})
		items = append(items, members...)
	}
	return items
}
