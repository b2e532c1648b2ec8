package resolvers_test

import "testing"

// TestObjectsOfMutations: the stored objects that hand-written Go returns count one by one; what is no stored type,
// such as user errors, counts once for each field.
func TestObjectsOfMutations(t *testing.T) {
	s := startEmptyShop(t)
	const create = `mutation($input: CreateUserInput!) {
		createUser(input: $input) { user { id name followers(first: 2) { nodes { id } } } userErrors { code } }
	}`
	for _, tt := range []struct {
		name, email string
		objects     int
	}{
		{"Ada", "ada@shop.example", 5}, // the root, the payload, its user errors, the user and the connection
		{"Bob", "ada@shop.example", 3}, // the address is taken: no user
		{"", "not an address", 3},      // two user errors
	} {
		a := s.ask(t, create, map[string]any{"input": map[string]any{"name": tt.name, "email": tt.email}})
		if got := a.Extensions.Cost.Objects; got != tt.objects {
			t.Errorf("%q, %q: %d objects, want %d: %s", tt.name, tt.email, got, tt.objects, a.body)
		}
		// At worst, there are two followers.
		if worst := a.Extensions.Cost.EstimatedObjects; worst != 7 {
			t.Errorf("%q, %q: at most %v objects were estimated, want 7", tt.name, tt.email, worst)
		}
	}
}
