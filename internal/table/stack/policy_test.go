package stack_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/stack"
	"github.com/partita/partita/internal/testservice"
)

var (
	wireIndex  = regexp.MustCompile(`^Query ([A-Z0-9]+): `)
	itemAction = map[string]string{
		"Put":            "PutItem",
		"Update":         "UpdateItem",
		"Delete":         "DeleteItem",
		"ConditionCheck": "ConditionCheckItem",
	}
)

// permissions returns the IAM permissions that requests need: "action on table" or "action on
// index".
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

// TestPolicyGrantsWhatTheGatewaySends checks that the policy grants exactly the requests that the
// gateway sends.
func TestPolicyGrantsWhatTheGatewaySends(t *testing.T) {
	s := testservice.Start(t)
	s.Proxy.Reset()
	query, variables := testservice.BusyQuery()
	s.Must(t, query, variables)
	const (
		read      = `{ reader(id: "Reader:r001") { name } branch(id: "Branch:c1") { books(first: 3) { nodes { title } } } }`
		recommend = `mutation { recommendBook(input: {bookId: "Book:b040", stars: 5}) { reader { name } } }`
		withdraw  = `mutation { withdrawRecommendation(input: {bookId: "Book:b040"}) { deletedRecommendationId } }`
		post      = `mutation { postNotice(input: {branchId: "Branch:c1", number: 9, title: "Closed"}) { notice { id } } }`
	)
	s.Must(t, testservice.Encoded(read), nil)
	s.As(testservice.Ada).Must(t, testservice.Encoded(recommend), nil)
	s.As(testservice.Ada).Must(t, testservice.Encoded(withdraw), nil)
	s.Must(t, testservice.Encoded(post), nil)
	fatal.If(t, admin.Verify(t.Context(), s.Table))
	// No mutation of the test service checks an item that it does not write. write.Update does so for
	// an object whose base item does not change.
	sent := append(permissions(t, s.Proxy.Log()), "ConditionCheckItem on table")
	slices.Sort(sent)
	design := stack.Template{Schema: testservice.TableSchema(), Writes: true}
	design.Stream = false // live/stream tests what reads the stream
	if policy := granted(design.Gateway("arn")); !slices.Equal(policy, sent) {
		t.Errorf("the policy grants\n%s\nthe gateway sends\n%s", strings.Join(policy, "\n"), strings.Join(sent, "\n"))
	}
}

// TestPolicyWithoutWrites checks that a gateway without mutations has no permission to write what is not reserved.
func TestPolicyWithoutWrites(t *testing.T) {
	design := stack.Template{Schema: testservice.TableSchema()}
	statements := slices.DeleteFunc(design.Gateway("arn"), func(s stack.Statement) bool { return s.Sid == "JoinReplicas" })
	for _, grant := range granted(statements) {
		if slices.ContainsFunc(
			[]string{"Put", "Update", "Delete"},
			func(verb string) bool { return strings.HasPrefix(grant, verb) },
		) {
			t.Errorf("the policy grants %s", grant)
		}
	}
}
