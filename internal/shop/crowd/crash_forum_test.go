package crowd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/crowdtest"
)

// The mutations of testdata/forum as its writers send them.
const (
	sendCreateMember = `mutation($input: CreateMemberInput!) {
		m: createMember(input: $input) { member { id version } userErrors { code } } }`
	sendUpdateMember = `mutation($input: UpdateMemberInput!) {
		m: updateMember(input: $input) { member { id version } userErrors { code } } }`
	sendDeleteMember = `mutation($input: DeleteMemberInput!) { m: deleteMember(input: $input) { userErrors { code } } }`
	sendCreateNote   = `mutation($input: CreateNoteInput!) {
		m: createNote(input: $input) { note { id version } userErrors { code } } }`
	sendUpdateNote = `mutation($input: UpdateNoteInput!) {
		m: updateNote(input: $input) { note { id version } userErrors { code } } }`
	sendDeleteNote = `mutation($input: DeleteNoteInput!) { m: deleteNote(input: $input) { userErrors { code } } }`
	sendFollow     = `mutation($input: FollowInput!) { m: follow(input: $input) { userErrors { code } } }`
	sendUnfollow   = `mutation($input: UnfollowInput!) { m: unfollow(input: $input) { userErrors { code } } }`
)

// forum are the writers of the forum, each with a member of its own.
type forum struct {
	writers []*poster
	// popular are the members that all writers follow and none changes.
	popular []*account
	stopped atomic.Bool
}

// poster sends mutations. The ledger is what the table must contain afterwards.
type poster struct {
	*crowdtest.Sender
	forum *forum

	// The ledger. own is the one of the members who writes notes and follows.
	own     *account
	members []*account
	notes   []*note
	follows map[*account]bool
}

// note is a note in the ledger.
type note struct {
	id, key, state, text string
	version              int
}

func newForum(ctx context.Context, s *crowdtest.Service, writers int) (*forum, error) {
	f := &forum{}
	for _, sender := range crowdtest.NewSenders(writers, s) {
		f.writers = append(f.writers, &poster{Sender: sender, forum: f, follows: map[*account]bool{}})
	}
	// The first of them, before anything is killed.
	for len(f.popular) < popularUsers {
		a, err := f.writers[0].join(ctx, true)
		if err != nil {
			return nil, err
		}
		f.popular = append(f.popular, a)
	}
	return f, nil
}

func (p *poster) run(ctx context.Context) (err error) {
	if p.own, err = p.join(ctx, true); err != nil {
		return err
	}
	for !p.forum.stopped.Load() {
		if err := p.step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// step is one random mutation.
func (p *poster) step(ctx context.Context) error {
	switch n := p.Random.IntN(20); {
	case n == 0:
		_, err := p.join(ctx, p.Random.IntN(2) == 0)
		return err
	case n == 1:
		return p.leave(ctx)
	case n < 4:
		return p.rename(ctx)
	case n < 10:
		return p.follow(ctx, p.forum.popular[p.Random.IntN(popularUsers)])
	case n < 14 || len(p.notes) == 0:
		return p.write(ctx)
	case n < 16:
		return p.repeat(ctx)
	case n < 19:
		return p.edit(ctx)
	default:
		return p.remove(ctx)
	}
}

// join creates a member. Without a key, only the unique address shows that an attempt without an answer has done so.
func (p *poster) join(ctx context.Context, withKey bool) (*account, error) {
	a := &account{name: p.Next("member"), version: 1}
	a.email = a.name + "@example.org"
	in, already := input{"name": a.name, "email": a.email}, "TAKEN"
	if withKey {
		in["idempotencyKey"], already = a.name, ""
	}
	r, doubt, err := mutate(ctx, p.Sender, sendCreateMember, in)
	if err == nil {
		err = expect(r, doubt, already)
	}
	if err != nil {
		return nil, fmt.Errorf("createMember %v: %w", in, err)
	}
	a.id = r.Member.ID
	p.members = append(p.members, a)
	return a, nil
}

// leave creates a member and deletes it.
func (p *poster) leave(ctx context.Context) error {
	a, err := p.join(ctx, true)
	if err != nil {
		return err
	}
	r, doubt, err := mutate(ctx, p.Sender, sendDeleteMember, input{"id": a.id, "version": 1})
	if err == nil {
		err = expect(r, doubt, "NOT_FOUND")
	}
	if err != nil {
		return fmt.Errorf("deleteMember %s: %w", a.name, err)
	}
	p.members = slices.DeleteFunc(p.members, func(other *account) bool { return a == other })
	return nil
}

// rename gives the writer's member another name, and often another address.
func (p *poster) rename(ctx context.Context) error {
	in := input{"userId": p.own.id, "version": p.own.version, "name": p.Next("name")}
	email := p.own.email
	if p.Random.IntN(2) == 0 {
		email = p.Next("mail") + "@example.org"
		in["email"] = email
	}
	r, doubt, err := mutate(ctx, p.Sender, sendUpdateMember, in)
	if err == nil {
		err = expect(r, doubt, "CONFLICT")
	}
	if err == nil && r.Member.Version != p.own.version+1 {
		err = fmt.Errorf("version %d", r.Member.Version)
	}
	if err != nil {
		return fmt.Errorf("updateMember %v: %w", in, err)
	}
	p.own.name, p.own.email, p.own.version = in["name"].(string), email, p.own.version+1
	return nil
}

// follow follows the other member, or no longer.
func (p *poster) follow(ctx context.Context, other *account) error {
	document, already := sendFollow, "ALREADY"
	if p.follows[other] {
		document, already = sendUnfollow, "NOT_FOUND"
	}
	r, doubt, err := mutate(ctx, p.Sender, document, input{"userId": p.own.id, "followeeId": other.id})
	if err == nil {
		err = expect(r, doubt, already)
	}
	if err != nil {
		return fmt.Errorf("%s follows %s or no longer: %w", p.Name, other.name, err)
	}
	p.follows[other] = !p.follows[other]
	return nil
}

func (p *poster) noteInput(n *note) input {
	return input{"userId": p.own.id, "idempotencyKey": n.key, "state": "DRAFT", "text": n.key}
}

func (p *poster) write(ctx context.Context) error {
	key := p.Next("note")
	n := &note{key: key, state: "DRAFT", text: key, version: 1}
	r, _, err := mutate(ctx, p.Sender, sendCreateNote, p.noteInput(n))
	if err == nil {
		err = expect(r, false, "")
	}
	if err != nil {
		return fmt.Errorf("createNote %s: %w", n.key, err)
	}
	n.id = r.Note.ID
	p.notes = append(p.notes, n)
	return nil
}

// repeat sends a key again: with the same input, or with another one.
func (p *poster) repeat(ctx context.Context) error {
	n := p.notes[p.Random.IntN(len(p.notes))]
	in, isOther := p.noteInput(n), p.Random.IntN(2) == 0
	if isOther {
		in["state"] = "PUBLISHED"
	}
	r, _, err := mutate(ctx, p.Sender, sendCreateNote, in)
	switch {
	case err != nil:
	case isOther && r.codes() != "KEY_REUSED":
		err = fmt.Errorf("another note under the key gave %q", r.codes())
	case !isOther && r.Note.ID != n.id:
		err = fmt.Errorf("the key gave %q and then %q %s", n.id, r.Note.ID, r.codes())
	}
	if err != nil {
		return fmt.Errorf("createNote %s again: %w", n.key, err)
	}
	return nil
}

// edit changes the text of a note, and its entry in the index.
func (p *poster) edit(ctx context.Context) error {
	n := p.notes[p.Random.IntN(len(p.notes))]
	state := map[string]string{"DRAFT": "PUBLISHED", "PUBLISHED": "DRAFT"}[n.state]
	in := input{"userId": p.own.id, "id": n.id, "version": n.version, "state": state, "text": p.Next("text")}
	r, doubt, err := mutate(ctx, p.Sender, sendUpdateNote, in)
	if err == nil {
		err = expect(r, doubt, "CONFLICT")
	}
	if err == nil && r.Note.Version != n.version+1 {
		err = fmt.Errorf("version %d", r.Note.Version)
	}
	if err != nil {
		return fmt.Errorf("updateNote %v: %w", in, err)
	}
	n.state, n.text, n.version = state, in["text"].(string), n.version+1
	return nil
}

func (p *poster) remove(ctx context.Context) error {
	at := p.Random.IntN(len(p.notes))
	n := p.notes[at]
	r, doubt, err := mutate(ctx, p.Sender, sendDeleteNote, input{"userId": p.own.id, "id": n.id, "version": n.version})
	if err == nil {
		err = expect(r, doubt, "NOT_FOUND")
	}
	if err == nil {
		p.notes = slices.Delete(p.notes, at, at+1)
		return nil
	}
	return fmt.Errorf("deleteNote %s: %w", n.key, err)
}

// stored are the objects of the forum in the table. That copies and claims fit them is left to `partita table check`.
type stored struct {
	Members map[string]storedMember // by e-mail address
	Notes   map[string]storedNote
	Follows map[string]int // the items of each edge
}

type storedMember struct {
	ID, Name                             string
	Version, Notes, Followers, Following int
}

type storedNote struct {
	Member, State, Text string
	Version, Copies     int
}

// check compares the lines of an export with the ledger of all writers.
func (f *forum) check(t *testing.T, lines []string) {
	t.Helper()
	got := readForum(t, lines)
	want := stored{map[string]storedMember{}, map[string]storedNote{}, map[string]int{}}
	followers := map[*account]int{}
	for _, p := range f.writers {
		following := 0
		for other, is := range p.follows {
			if is {
				following++
				followers[other]++
				want.Follows[raw(t, p.own.id)+" "+raw(t, other.id)] = 2
			}
		}
		for _, n := range p.notes {
			want.Notes[raw(t, n.id)] = storedNote{raw(t, p.own.id), n.state, n.text, n.version, 2}
		}
		for _, a := range p.members {
			m := storedMember{Name: a.name, Version: a.version, ID: got.Members[a.email].ID}
			if a.id != "" { // otherwise no answer contained it
				m.ID = raw(t, a.id)
			}
			if a == p.own {
				m.Notes, m.Following = len(p.notes), following
			}
			want.Members[a.email] = m
		}
	}
	for a, n := range followers {
		m := want.Members[a.email]
		m.Followers = n
		want.Members[a.email] = m
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the table (+) is not what was answered with success (-):\n%s", diff)
	}
}

// readForum returns the objects of an export, from their base items and copies.
func readForum(t *testing.T, lines []string) stored {
	t.Helper()
	s := stored{map[string]storedMember{}, map[string]storedNote{}, map[string]int{}}
	for _, line := range lines {
		var item struct {
			Item map[string]struct{ S, N string }
		}
		if err := json.Unmarshal([]byte(line), &item); err != nil {
			t.Fatal(err)
		}
		text := func(name string) string { return item.Item[name].S }
		number := func(name string) int {
			n, err := strconv.Atoi(item.Item[name].N)
			if err != nil {
				t.Error(errors.New(name+" of "+line), err)
			}
			return n
		}
		switch text("entityType") {
		case "Member":
			s.Members[text("email")] = storedMember{
				text("id"), text("name"), number("version"), number("noteCount"), number("followerCount"),
				number("followingCount"),
			}
		case "Note":
			s.Notes[text("id")] = storedNote{
				text("memberId"), text("state"), text("text"), number("version"), 1 + s.Notes[text("id")].Copies,
			}
		case "Follow":
			s.Follows[text("followerId")+" "+text("followeeId")]++
		}
	}
	return s
}
