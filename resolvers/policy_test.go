package resolvers_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/table"
	tableadmin "github.com/partita/partita/table/admin"
	"github.com/partita/partita/table/stack"
)

var (
	wireIndex  = regexp.MustCompile(`^Query ([A-Z0-9]+): `)
	itemAction = map[string]string{"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}
)

// permissions are what IAM would have asked of the requests: "action on table" or
// "action on index".
func permissions(t *testing.T, requests []string) []string {
	t.Helper()
	var all []string
	for _, request := range requests {
		operation, rest, _ := strings.Cut(request, " ")
		switch {
		case operation == "TransactWriteItems":
			for _, action := range strings.Split(rest, ", ") {
				word, _, _ := strings.Cut(action, " ")
				if itemAction[word] == "" {
					t.Fatalf("unknown action in %q", request)
				}
				all = append(all, itemAction[word]+" on table")
			}
		case wireIndex.MatchString(request):
			all = append(all, "Query on "+wireIndex.FindStringSubmatch(request)[1])
		default:
			all = append(all, strings.TrimSuffix(operation, ",")+" on table")
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func granted(statements []stack.Statement) []string {
	var all []string
	for _, s := range statements {
		for _, resource := range s.Resource {
			_, index, isIndex := strings.Cut(resource, "/index/")
			if !isIndex {
				index = "table"
			}
			for _, action := range s.Action {
				all = append(all, strings.TrimPrefix(action, "dynamodb:")+" on "+index)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// The policy grants what the gateway sends: all of it, and nothing else.
func TestPolicyGrantsWhatTheGatewaySends(t *testing.T) {
	s := startShop(t)
	s.Proxy.Reset()
	s.must(t, busyQuery(), map[string]any{"ids": mixed()})
	s.must(t, `query($id: ID!) { user(id: $id) { name } }`, map[string]any{"id": demo.Ada().Encode()})
	ada, bob := s.newUser(t, "ada"), s.newUser(t, "bob")
	s.succeed(t, followUser, input{"userId": bob, "followeeId": ada})
	s.succeed(t, updateUser, input{"userId": ada, "version": 1, "email": "other@example.com"})
	first := s.newOrder(t, ada, "first")
	s.succeed(t, updateOrderStatus, input{"orderId": first, "version": 1, "status": "PAID"})
	s.succeed(t, cancelOrder, input{"userId": ada, "orderId": first, "version": 2})
	s.succeed(t, unfollowUser, input{"userId": bob, "followeeId": ada})
	s.succeed(t, deleteUser, input{"userId": ada, "version": 2})
	s.sweep(t)
	if err := tableadmin.Verify(t.Context(), s.Table); err != nil {
		t.Fatal(err)
	}
	// No mutation of the shop checks an item that it does not write; write.Update
	// does so for an object whose base item stays as it is.
	sent := append(permissions(t, s.Proxy.Log()), "ConditionCheckItem on table")
	slices.Sort(sent)
	design := stack.Template{
		Schema: table.Schema{Indexes: typed.Design.IndexNames()},
		Writes: graph.NewExecutableSchema(graph.Config{}).Schema().Mutation != nil,
	}
	if policy := granted(design.Gateway("arn")); !slices.Equal(policy, sent) {
		t.Errorf("the policy grants\n%s\nthe gateway sends\n%s", strings.Join(policy, "\n"), strings.Join(sent, "\n"))
	}
}
