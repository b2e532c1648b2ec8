package folder_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/internal/folder"
)

// BenchmarkOpen opens a folder of 200 types, each with two access patterns.
func BenchmarkOpen(b *testing.B) {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, `
extend type Query {
  thing%[1]d(id: ID!): Thing%[1]d @get(pk: "THING%[1]d#{id}", sk: "THING%[1]d#{id}")
  things%[1]d(owner: String!): Thing%[1]dConnection
    @query(index: "GSI1", pk: "OWNER%[1]d#{owner}")
}
type Thing%[1]d implements Node @item(pk: "THING%[1]d#{id}", sk: "THING%[1]d#{id}")
  @index(pk: "OWNER%[1]d#{owner}", sk: "{at}#{id}") {
  id: ID! owner: String! at: Time! title: String size: Int tags: [String!]
}
`, i)
	}
	dir := write(b, map[string]string{"things.graphqls": text.String()})
	for b.Loop() {
		if _, err := folder.Open(dir); err != nil {
			b.Fatal(err)
		}
	}
}
