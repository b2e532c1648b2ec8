package examples

import (
	"regexp"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/ways"
	"github.com/partita/partita/viewer"
)

// ofAcme matches what the workspace acme has.
var ofAcme = regexp.MustCompile(`Acme|Everything|Good morning|Coffee|"role"|"wave"`)

// TestChatWays goes all ways through the schema to what a workspace has. Each member sees it, and nobody else: a
// stranger, who has not signed in, and who was a member until a moment ago.
func TestChatWays(t *testing.T) {
	t.Parallel()
	s := exampletest.Open(t, "chat").Serve(t)
	all := ways.All(plan.API(s.Schema.AST), chatArgument)
	walk := func(user string, isMember bool) {
		t.Helper()
		shown := 0
		for _, way := range all {
			answer := s.SendAs(t, viewer.Viewer{ID: user}, way.Query())
			switch isShown := ofAcme.MatchString(answer); {
			case isShown && !isMember:
				t.Errorf("%s: %q gets %s", way, user, answer)
			case isShown:
				shown++
			}
		}
		if isMember && shown < 12 {
			t.Errorf("%s sees something by %d of %d ways", user, shown, len(all))
		}
	}
	for _, member := range []string{"ada", "bob", "cyd"} {
		walk(member, true)
	}
	walk("eve", false)
	walk("", false)
	s.SendAs(t, viewer.Viewer{ID: "cyd"},
		`mutation { removeMember(input: { memberId: "Member:acme/bob" }) { deletedMemberId } }`)
	walk("bob", false)
	walk("ada", true)
}

// chatArgument returns the argument that leads to what the workspace acme has.
func chatArgument(_ *ast.Definition, _ *ast.FieldDefinition, a *ast.ArgumentDefinition, o *ast.Definition) string {
	id := map[string]string{
		"Workspace": `"Workspace:acme"`, "Channel": `"Channel:acme/general"`, "Message": `"Message:acme/general/m1"`,
		"Member": `"Member:acme/bob"`, "Reaction": `"Reaction:acme/general/m1/bob/wave"`,
	}[o.Name]
	switch a.Name {
	case "id":
		return id
	case "ids":
		return "[" + id + "]"
	case "first":
		return "9"
	case "workspaceId":
		return `"Workspace:acme"`
	case "name":
		return `"general"`
	case "userId":
		return `"bob"`
	}
	return ""
}

// TestChatStrangers: whatever somebody sends who is no member, the table stays as it is.
func TestChatStrangers(t *testing.T) {
	t.Parallel()
	s := exampletest.Open(t, "chat").Serve(t)
	before := s.Items(t)
	for _, mutation := range []string{
		`addMember(input: { workspaceId: "Workspace:acme", userId: "eve" }) { userErrors { code } }`,
		`addMember(input: { workspaceId: "Workspace:acme", userId: "mal" }) { userErrors { code } }`,
		`changeRole(input: { memberId: "Member:acme/bob", role: ADMIN }) { userErrors { code } }`,
		`removeMember(input: { memberId: "Member:acme/bob" }) { userErrors { code } }`,
		`rename(input: { workspaceId: "Workspace:acme", name: "Eve" }) { userErrors { code } }`,
		`leaveWorkspace(input: { workspaceId: "Workspace:acme" }) { userErrors { code } }`,
		`postMessage(input: { channelId: "Channel:acme/general", text: "x" }) { userErrors { code } }`,
		`editMessage(input: { messageId: "Message:acme/general/m1", text: "x" }) { userErrors { code } }`,
		`deleteMessage(input: { messageId: "Message:acme/general/m1" }) { userErrors { code } }`,
		`removeMessage(input: { messageId: "Message:acme/general/m1" }) { userErrors { code } }`,
		`react(input: { messageId: "Message:acme/general/m1", emoji: "x" }) { userErrors { code } }`,
		`createChannel(input: { workspaceId: "Workspace:acme", name: "x" }) { userErrors { code } }`,
	} {
		for _, user := range []string{"eve", ""} {
			s.SendAs(t, viewer.Viewer{ID: user}, "mutation { "+mutation+" }")
			if after := s.Items(t); after != before {
				t.Errorf("%q changes the table by %s:\n%s", user, mutation, after)
				before = after
			}
		}
	}
}
