package examples

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// talk is the crowd of the example chat: all write, react, take names and leave in the same workspace.
type talk struct {
	speakers []*speaker

	mu sync.Mutex
	// messages are those to which somebody may react: some are deleted meanwhile.
	messages []string
}

func newTalk() crowd { return &talk{messages: []string{general("m1").Encode()}} }

func general(message string) keys.ID { return keys.NewID("Message", "acme", "general", message) }

// acme is the workspace.
var acme = keys.NewID("Workspace", "acme").Encode()

// speaker writes. The ledger is what it has been told.
type speaker struct {
	*caller
	talk *talk
	// name is that in the workspace, and names has another one that it may have.
	name, maybe string
	texts       map[string]string // by message
	reactions   []reaction
}

type reaction struct{ message, emoji string }

func (tk *talk) enter(c *caller) (open, step func(context.Context) error) {
	s := &speaker{caller: c, talk: tk, texts: map[string]string{}}
	tk.speakers = append(tk.speakers, s)
	return s.join, s.step
}

// join lets the speaker in, who cannot write before.
func (s *speaker) join(ctx context.Context) error {
	o, err := s.do(ctx, "postMessage", s.message("no member"), "")
	if err := orError(err, o, "NOT_MEMBER"); err != nil {
		return err
	}
	o, err = s.as(ctx, viewer.Viewer{ID: "ada"}, "addMember", input{"workspaceId": acme, "userId": s.Name}, "")
	if err == nil && o.doubt && o.code() == "ALREADY" {
		return nil
	}
	return orError(err, o, "")
}

func (s *speaker) message(text string) input {
	return input{
		"channelId": keys.NewID("Channel", "acme", "general").Encode(), "text": text, "idempotencyKey": s.Next("post"),
	}
}

func (s *speaker) step(ctx context.Context) error {
	switch n := s.Random.IntN(20); {
	case n == 0:
		return s.leave(ctx)
	case n < 3:
		return s.rename(ctx)
	case n < 8:
		return s.post(ctx)
	case n < 11:
		return s.edit(ctx)
	case n < 13:
		return s.delete(ctx)
	}
	return s.react(ctx)
}

func (s *speaker) leave(ctx context.Context) error {
	o, err := s.do(ctx, "leaveWorkspace", input{"workspaceId": acme}, "")
	switch {
	case err == nil && o.done(), err == nil && o.doubt && o.code() == "NOT_FOUND":
		s.name, s.maybe = "", ""
		return s.join(ctx)
	}
	return orError(err, o, "CONFLICT")
}

// rename takes a name that others want.
func (s *speaker) rename(ctx context.Context) error {
	name := fmt.Sprint("name", s.Random.IntN(crowdSize))
	o, err := s.do(ctx, "rename", input{"workspaceId": acme, "name": name}, "")
	switch {
	case err != nil:
		return err
	case o.done():
		s.name, s.maybe = name, ""
		return nil
	case o.doubt:
		s.maybe = name
	}
	return o.want("TAKEN", "CONFLICT")
}

func (s *speaker) post(ctx context.Context) error {
	in := s.message(s.Next("text"))
	o, err := s.do(ctx, "postMessage", in, "message { id }")
	if err != nil || !o.done() {
		return orError(err, o, "CONFLICT")
	}
	id := o.field("message", "id")
	s.texts[id] = in["text"].(string)
	s.talk.mu.Lock()
	defer s.talk.mu.Unlock()
	s.talk.messages = append(s.talk.messages, id)
	return nil
}

// edit changes a message, and none of another one.
func (s *speaker) edit(ctx context.Context) error {
	for id := range s.texts {
		in := input{"messageId": id, "text": s.Next("text")}
		o, err := s.do(ctx, "editMessage", in, "")
		if err != nil || !o.done() {
			return orError(err, o, "CONFLICT")
		}
		s.texts[id] = in["text"].(string)
		return nil
	}
	o, err := s.do(ctx, "editMessage", input{"messageId": general("m1").Encode(), "text": "x"}, "")
	return orError(err, o, "NOT_AUTHOR")
}

func (s *speaker) delete(ctx context.Context) error {
	for id := range s.texts {
		o, err := s.do(ctx, "deleteMessage", input{"messageId": id}, "")
		if err != nil || !o.done() && !(o.doubt && o.code() == "NOT_FOUND") {
			return orError(err, o, "CONFLICT")
		}
		delete(s.texts, id)
		return nil
	}
	return nil
}

// react reacts to a message of anybody, which may be deleted.
func (s *speaker) react(ctx context.Context) error {
	s.talk.mu.Lock()
	message, _ := one(s.caller, s.talk.messages)
	s.talk.mu.Unlock()
	emoji := fmt.Sprint("e", s.Serial)
	s.Serial++
	o, err := s.do(ctx, "react", input{"messageId": message, "emoji": emoji}, "")
	if err == nil && o.doubt && o.code() == "NOT_FOUND ALREADY" {
		return nil // An earlier attempt reacted, and then the message was deleted.
	}
	if err != nil || !o.done() && !(o.doubt && o.code() == "ALREADY") {
		return orError(err, o, "NOT_FOUND", "CONFLICT")
	}
	s.reactions = append(s.reactions, reaction{message, emoji})
	return nil
}

// check: members, messages and reactions are those that were answered with success, and nothing is below a message
// that was deleted.
func (tk *talk) check(t *testing.T, all objects) {
	t.Helper()
	texts, messages, kept := map[string]string{}, all["Message"], all["Reaction"]
	isOther := func(_ string, it item.Item) bool { return it.Text("workspaceId") != "acme" }
	maps.DeleteFunc(messages, isOther)
	maps.DeleteFunc(kept, isOther)
	for _, id := range []string{"m1", "m2", "m3"} {
		texts[general(id).Encode()] = messages[general(id).Encode()].Text("text")
	}
	reactions := 1 // of data.jsonl
	for _, s := range tk.speakers {
		member := all["Member"][keys.NewID("Member", "acme", s.Name).Encode()]
		if name := member.Text("name"); name != s.name && (name != s.maybe || s.maybe == "") || member == nil {
			t.Errorf("%s is called %s, or perhaps %q: %v", s.Name, s.name, s.maybe, member)
		}
		for id, text := range s.texts {
			texts[id] = text
		}
	}
	for id, text := range texts {
		if it := messages[id]; it.Text("text") != text || it == nil {
			t.Errorf("%s is %v instead of %q", id, it, text)
		}
	}
	for _, s := range tk.speakers {
		for _, r := range s.reactions {
			message, _ := keys.ParseID(r.message)
			_, is := texts[r.message]
			id := keys.NewID("Reaction", append(message.Values(), s.Name, r.emoji)...).Encode()
			if is != (kept[id] != nil) {
				t.Errorf("%s of %s: %v, and its message is there: %v", r.emoji, s.Name, kept[id], is)
			}
			if is {
				reactions++
			}
		}
	}
	if len(messages) != len(texts) || len(kept) != reactions {
		t.Errorf("%d messages and %d reactions instead of %d and %d", len(messages), len(kept), len(texts), reactions)
	}
}
