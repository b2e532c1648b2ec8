package testservice

// BusyQuery returns an operation of several waves with each kind of request, and its variables.
func BusyQuery() (query string, variables map[string]any) {
	return `query($ids: [ID!]!) {
		reader(id: "Reader:r001") {
			name
			loans(first: 20) { nodes { id state reminders(first: 20) { nodes { number loan { dueOn } } } } }
			recommendations(first: 25) { edges { stars node { title recommendedBy(first: 10) { nodes { name } } } } }
		}
		book(id: "Book:b001") { title awards { year } branch { name } }
		loansByState(state: OVERDUE, first: 30) { nodes { id reader { name } } pageInfo { endCursor } }
		branch(id: "Branch:c1") {
			visits(at: {from: "2026-01-01T00:00:00Z", to: "2026-05-01T00:00:00Z"}, first: 25) { nodes { at } }
			contents(first: 10) { nodes { ... on Node { id } } }
		}
		nodes(ids: $ids) { id ... on Reader { name } ... on Book { title } ... on Loan { state } }
	}`, map[string]any{"ids": MixedIDs()}
}

// MixedIDs returns 100 ids: those of 85 objects of three types, 10 of them a second time, and 5 that name nothing.
func MixedIDs() []string {
	var ids []string
	for n := 1; n <= 30; n++ {
		ids = append(ids, Reader(n).Encode())
	}
	for n := 1; n <= 30; n++ {
		ids = append(ids, Book(n).Encode())
	}
	for n := 1; n <= 25; n++ {
		ids = append(ids, Loan(n).Encode())
	}
	ids = append(ids, ids[20:30]...)
	for n := Readers + 1; n <= Readers+5; n++ {
		ids = append(ids, Reader(n).Encode())
	}
	return ids
}
