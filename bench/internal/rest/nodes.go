package rest

import (
	"encoding/json"
	"net/http"

	"github.com/partita/partita/bench/internal/service"
)

// node is an object of any type. The fields that its type does not have are absent.
type node struct {
	Type   string `json:"__typename"`
	ID     string `json:"id"`
	Name   string `json:"name,omitempty"`
	Status string `json:"status,omitempty"`
	Sku    string `json:"sku,omitempty"`
}

// nodes answers with objects of mixed types: a BatchGetItem.
func (h handlers) nodes(r *http.Request) (any, error) {
	var in struct {
		IDs []string `json:"ids"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 1<<20)).Decode(&in); err != nil {
		return nil, errID
	}
	types, keys := make([]string, len(in.IDs)), make([]key, len(in.IDs))
	for i, text := range in.IDs {
		var err error
		if types[i], keys[i], err = parseNode(text); err != nil {
			return nil, err
		}
	}
	found, err := getAll(r.Context(), h.table, distinct(keys))
	if err != nil {
		return nil, err
	}
	viewer := service.ViewerOf(r.Context())
	all := make([]*node, len(keys))
	for i, k := range keys {
		o := found[k]
		if o == nil || types[i] != "User" && !viewer.MayRead(o.Text("userId")) {
			continue
		}
		n := &node{Type: types[i], ID: in.IDs[i]}
		switch n.Type {
		case "User":
			n.Name = o.Text("name")
		case "Order":
			n.Status = o.Text("status")
		case "Item":
			n.Sku = o.Text("sku")
		}
		all[i] = n
	}
	return struct {
		Nodes []*node `json:"nodes"`
	}{all}, nil
}
