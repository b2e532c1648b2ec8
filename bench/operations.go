package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// operation is one question to the shop, as a GraphQL operation and as a request to the handlers.
type operation struct {
	name      string
	query     string
	variables map[string]any
	// method, path and body are the request to the handlers.
	method, path string
	body         any
	viewer       viewer.Viewer
	isMutation   bool
	// requests is how many DynamoDB requests the handlers send: the fewest that answer it.
	requests int
}

// operations returns the operations that are compared, small ones first: reads, then mutations. Each system changes
// objects of its own, which look like those of the others: nth is its number.
func operations(nth int) []operation {
	data := demoIDs()
	return append(reads(data), mutations(data, nth)...)
}

// named returns variables of the values.
func named(prefix string, values []string) map[string]any {
	all := make(map[string]any, len(values))
	for i, v := range values {
		all[fmt.Sprint(prefix, i)] = v
	}
	return all
}

// ids are those of objects in the demo data.
type ids struct {
	users  []string
	values []string // of the users, as they are stored
	order  string   // one of Ada's with five lines
	mixed  []string // 40 users, 30 orders and 30 items
	// pending are orders that are not Ada's.
	pending []string
}

func demoIDs() ids {
	var all ids
	var orders, items []string
	for it := range demo.Items() {
		base := it.Text(keys.AttributePK) == it.Text(keys.AttributeSK)
		switch typ := it.Type(); {
		case typ == "User" && base:
			all.users = append(all.users, keys.NewID(typ, it.Text("id")).Encode())
			all.values = append(all.values, it.Text("id"))
		case typ == "Order" && base:
			id := keys.NewID(typ, it.Text("id")).Encode()
			orders = append(orders, id)
			isAdas := it.Text("userId") == demo.Ada().Value()
			switch {
			case isAdas && it.Text("itemCount") == "5":
				all.order = id
			case !isAdas && it.Text("status") == "PENDING":
				all.pending = append(all.pending, id)
			}
		case typ == "Item":
			items = append(items, keys.NewID(typ, it.Text("orderId"), it.Text("line")).Encode())
		}
	}
	all.mixed = append(append(append(all.mixed, all.users[:40]...), orders[:30]...), items[:30]...)
	return all
}

// String returns the name.
func (o operation) String() string { return o.name }

// graphQL returns the request to a GraphQL server.
func (o operation) graphQL() (*http.Request, error) {
	return newRequest(http.MethodPost, "/graphql", map[string]any{"query": o.query, "variables": o.variables})
}

// rest returns the request to the handlers.
func (o operation) rest() (*http.Request, error) { return newRequest(o.method, o.path, o.body) }

func newRequest(method, path string, body any) (*http.Request, error) {
	if body == nil {
		return http.NewRequest(method, path, http.NoBody)
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequest(method, path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	return r, nil
}

// selected returns those with the names, or all if there are none.
func selected[T any](all []T, names []string, name func(T) string) ([]T, error) {
	if len(names) == 0 {
		return all, nil
	}
	var found []T
	for _, n := range names {
		i := slices.IndexFunc(all, func(one T) bool { return name(one) == n })
		if i < 0 {
			var known []string
			for _, one := range all {
				known = append(known, name(one))
			}
			return nil, fmt.Errorf("there is no %q; choose from %q", n, known)
		}
		found = append(found, all[i])
	}
	return found, nil
}
