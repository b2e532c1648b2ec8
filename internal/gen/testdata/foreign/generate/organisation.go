package main

import "strings"

// organisation: no attribute with the type, so that only keys say what an item is. The keys of people begin with
// that of their department: DEPT/eng, DEPT/eng/USER/aaa. Segments are joined by /. DEPT/eng-ops and its people are
// between these two.
//
// Indexes: dept_of-code-index (dept_of, code), with departments alone, and by-manager (manager_id, family), both all
// attributes; person.by-id (user_id without a sort key), KEYS_ONLY.
func organisation() []item {
	families := []string{"Young", "Zane", "Ito", "Abel", "Young"}
	var items []item
	for _, o := range []struct {
		id    string
		codes []string
		sizes []int
	}{
		{"acme", []string{"eng", "eng-ops", "eng2", "hr", "law"}, []int{24, 5, 2, 9, 0}},
		{"globex", []string{"eng", "sales"}, []int{4, 17}},
	} {
		items = append(items, item{
			"pk": textf("ORG/%s", o.id), "sk": textf("ORG/%s", o.id), "display_name": textf("%s Inc.", strings.ToUpper(o.id)),
		})
		person := 0
		for d, code := range o.codes {
			items = append(items, item{
				"pk": textf("ORG/%s", o.id), "sk": textf("DEPT/%s", code), "display_name": textf("Department %s", code),
				"headcount": number(o.sizes[d]), "dept_of": text(o.id), "code": text(code),
			})
			for n := range o.sizes[d] {
				id := o.id[:1] + string(rune('a'+person/26)) + string(rune('a'+person%26))
				it := item{
					"pk": textf("ORG/%s", o.id), "sk": textf("DEPT/%s/USER/%s", code, id), "user_id": text(id),
					"given": text(names[(person*3)%len(names)]), "family": text(families[person*2%len(families)]),
				}
				if person > 0 {
					manager := person / 12
					it["manager_id"] = textf("%s%c%c", o.id[:1], 'a'+manager/26, 'a'+manager%26)
				}
				if n%4 == 3 {
					it["room"] = textf("%d", 100+n)
				}
				items = append(items, it)
				person++
			}
		}
	}
	return items
}
