package systems

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/ways"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"

	"github.com/partita/partita/systems/chat/graph"
	"github.com/partita/partita/systems/chat/graph/model"
	"github.com/partita/partita/systems/chat/resolvers"
	"github.com/partita/partita/systems/chat/typed"
)

// chat is the service of chat.graphqls with the resolvers that are written in Go.
type chat struct{ *resolvers.Resolver }

func (c chat) Query() graph.QueryResolver     { return chatQuery{c.Resolver.Query()} }
func (c chat) Channel() graph.ChannelResolver { return chatChannel{c.Resolver.Channel()} }

type chatQuery struct{ graph.QueryResolver }

func (chatQuery) Secret(context.Context, keys.ID) (*string, error) {
	text := "42"
	return &text, nil
}

func (chatQuery) AnyMessage(_ context.Context, channelID keys.ID) (*model.Message, error) {
	return chatMessage(channelID.Value(), 1), nil
}

type chatChannel struct{ graph.ChannelResolver }

func (chatChannel) Newest(_ context.Context, c *model.Channel, _ *int) (*model.Message, error) {
	return chatMessage(c.ID.Value(), 2), nil
}

func workspaceID(id string) keys.ID { return keys.NewID("Workspace", id) }

func chatMember(workspace, user string, role model.Role, until *time.Time) *model.Member {
	return &model.Member{WorkspaceID: workspaceID(workspace), UserID: keys.NewID("", user), Role: role, Until: until}
}

func chatChannelOf(workspace, id string) *model.Channel {
	return &model.Channel{ID: keys.NewID("Channel", id), WorkspaceID: workspaceID(workspace), Topic: "topic of " + id}
}

// chatMessage returns a message of a channel whose workspace has the first letter of its name.
func chatMessage(channel string, number int) *model.Message {
	return &model.Message{
		ID: keys.NewID("Message", channel, fmt.Sprint(number)), ChannelID: keys.NewID("Channel", channel), Number: number,
		WorkspaceID: workspaceID(channel[:1]), Text: "hello",
	}
}

// chatItems are two workspaces: ada owns w, bo is a member, cy a guest, and dan was one until an hour ago; eve owns x.
func chatItems(t *testing.T) []item.Item {
	past := time.Now().Add(-time.Hour)
	free := "free"
	var messages []*model.Message
	for n := range 4 {
		messages = append(messages, chatMessage("w1", n+1), chatMessage("x1", n+1))
	}
	return slices.Concat(
		storedItems(t, typed.StoredWorkspace,
			&model.Workspace{ID: workspaceID("w"), Name: "Works", Plan: &free},
			&model.Workspace{ID: workspaceID("x"), Name: "X"}),
		storedItems(t, typed.StoredMember,
			chatMember("w", "ada", model.RoleOwner, nil), chatMember("w", "bo", model.RoleMember, nil),
			chatMember("w", "cy", model.RoleGuest, nil), chatMember("w", "dan", model.RoleMember, &past),
			chatMember("x", "eve", model.RoleOwner, nil), chatMember("x", "bo", model.RoleGuest, nil)),
		storedItems(t, typed.StoredChannel, chatChannelOf("w", "w1"), chatChannelOf("w", "w2"), chatChannelOf("x", "x1")),
		storedItems(t, typed.StoredMessage, messages...),
	)
}

var chatViewers = map[string]viewer.Viewer{
	"anonymous": {},
	"root":      {ID: "root", Roles: []string{"ADMIN"}},
}

func chatViewer(name string) viewer.Viewer {
	if v, found := chatViewers[name]; found {
		return v
	}
	return viewer.Viewer{ID: name}
}

func startChat(t *testing.T) *server {
	s := serve(t, graph.NewExecutableSchema(graph.Config{Resolvers: chat{&resolvers.Resolver{}}}), typed.Design)
	s.engine.Load(t, chatItems(t)...)
	return s
}

// asViewer returns a handler whose requests are those of a viewer.
func asViewer(name string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		gatewaytest.SetViewer(r.Header, chatViewer(name))
		h.ServeHTTP(w, r)
	})
}

// chatAnswer is what an executor answers, by which requests.
type chatAnswer struct {
	text     string
	requests []string
	response.Cost
}

func askChat(t *testing.T, s *server, h http.Handler, d *datadriven.TestData) chatAnswer {
	t.Helper()
	s.engine.Proxy.Reset()
	var a chatAnswer
	a.text, a.Cost = execute(t, asViewer(d.Cmd, h), withIDs(d.Input), "")
	a.requests = s.engine.Proxy.Log()
	for i := range a.requests {
		a.requests[i] = anyUUID.ReplaceAllString(a.requests[i], "NEW")
	}
	slices.Sort(a.requests) // The requests of a wave arrive in any order.
	counts := s.engine.Proxy.Counts()
	if a.ReadUnits != counts.ReadUnits || a.WriteUnits < counts.WriteUnits || a.ReadUnits > a.EstimatedReadUnits {
		t.Errorf("%s: the cost is %+v, the table has counted %+v", d.Pos, a.Cost, counts)
	}
	return a
}

var anyUUID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

func (a chatAnswer) shown() string {
	text := strings.ReplaceAll(anyUUID.ReplaceAllString(readable(a.text), "NEW"), "\n ", " ")
	return fmt.Sprintf("%s%s%d waves, %v of %v read units, %v write units\n",
		text, strings.Join(append(a.requests, ""), "\n"), a.Waves, a.ReadUnits, a.EstimatedReadUnits, a.WriteUnits)
}

func runChat(t *testing.T, file string, byPlan, byGqlgen *server) {
	t.Helper()
	datadriven.RunTest(t, filepath.Join(os.Getenv("SYSTEMS"), file), func(t *testing.T, d *datadriven.TestData) string {
		gqlgen := askChat(t, byGqlgen, byGqlgen.gqlgen, d).shown()
		answer := askChat(t, byPlan, byPlan.plan, d).shown()
		if answer != gqlgen {
			t.Errorf("%s: the plan answers\n%s\ngqlgen\n%s", d.Pos, answer, gqlgen)
		}
		return answer
	})
}

// TestChat sends queries as viewers, by both executors: the answers, the requests and the costs must be the same.
func TestChat(t *testing.T) {
	t.Parallel()
	s := startChat(t)
	runChat(t, "chat.txt", s, s)
}

// TestChatWrites sends mutations as viewers, by each executor to a table of its own.
func TestChatWrites(t *testing.T) {
	t.Parallel()
	runChat(t, "chat_writes.txt", startChat(t), startChat(t))
}

// TestChatWays goes all ways through the schema as a member, as a stranger, and after the membership has ended: by
// both executors, the latter two see nothing but what is public, which is nothing.
func TestChatWays(t *testing.T) {
	t.Parallel()
	s := startChat(t)
	objects := map[string]string{
		"Workspace": "<Workspace:w>", "Channel": "<Channel:w1>", "Message": "<Message:w1:1>", "Member": "<Member:w:ada>",
	}
	argument := func(parent *ast.Definition, f *ast.FieldDefinition, a *ast.ArgumentDefinition, o *ast.Definition) string {
		switch id := objects[o.Name]; {
		case a.Name == "id":
			return id
		case a.Name == "ids":
			return "[" + id + "]"
		case a.Name == "first":
			return "9"
		case a.Name == "workspaceId":
			return "<Workspace:w>"
		case a.Name == "channelId":
			return "<Channel:w1>"
		case a.Name == "userId":
			return `"ada"`
		}
		return ""
	}
	all, shown := ways.All(plan.API(s.schema.Schema()), argument), 0
	for _, way := range all {
		for _, name := range []string{"bo", "stranger", "dan"} {
			for _, h := range []http.Handler{s.plan, s.gqlgen} {
				answer, _ := execute(t, asViewer(name, h), withIDs(way.Query()), "")
				switch isShown := objectInAnswer.MatchString(answer); {
				case isShown && name != "bo":
					t.Errorf("%s: %s gets %s", way, name, answer)
				case isShown:
					shown++
				}
			}
		}
	}
	if shown < len(all) { // each way of a member, by two executors, but for a few
		t.Errorf("of %d ways, a member sees the object at the end of %d", len(all), shown/2)
	}
}

// objectInAnswer matches values of objects that only members may read.
var objectInAnswer = regexp.MustCompile(`"(name|topic|text|role)": ?"`)
