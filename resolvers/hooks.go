package resolvers

import (
	"context"

	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// Hooks returns the shop's rules for the mutations that need no other Go, and its words for their user errors.
func (r *Resolver) Hooks() write.Hooks {
	return write.Hooks{
		"createUser": {Check: r.checkNewUser, Done: explain(map[write.Code]string{write.CodeTaken: emailTaken})},
		"updateUser": {Check: checkUserChange, Done: explain(map[write.Code]string{write.CodeTaken: emailTaken})},
		"followUser": {
			Check: r.checkFollow, Done: explain(map[write.Code]string{write.CodeAlready: "this user is followed already"}),
		},
		"unfollowUser": {Check: r.checkFollow, Done: explainUnfollow},
	}
}

const emailTaken = "another user has this e-mail address already"

// explain returns a hook that replaces the messages of codes.
func explain(messages map[write.Code]string) func(context.Context, *design.Mutation, write.Input,
	*write.Outcome) error {
	return func(_ context.Context, _ *design.Mutation, _ write.Input, out *write.Outcome) error {
		for _, e := range out.List() {
			if message, ok := messages[e.Code]; ok {
				e.Message = message
			}
		}
		return nil
	}
}

func explainUnfollow(_ context.Context, m *design.Mutation, _ write.Input, out *write.Outcome) error {
	for _, e := range out.List() {
		if e.Message == write.MissingObject(m) {
			e.Message = "this user is not followed"
		}
	}
	return nil
}

// checked is a hook's check of an input by the rules of the shop.
type checked struct {
	problems
	in *write.Input
}

// replace replaces a given text by the result of a rule.
func (c *checked) replace(name string, rule func(field, value string) string) {
	for i, a := range c.in.Set {
		if a.Name == name {
			c.in.Set[i].Value = item.StringValue(rule(name, a.Value.Text))
		}
	}
}

func (c *checked) user() {
	c.replace("name", func(field, value string) string { return c.text(inputField{name: field}, value, personName) })
	c.replace("email", c.email)
}

// at sets the time of the write, if it is not that of the table.
func (r *Resolver) at(in *write.Input, name string) {
	if r.Clock != nil {
		in.Set = append(in.Set, item.Attribute{Name: name, Value: item.TimeValue(r.now())})
	}
}

func (r *Resolver) checkNewUser(
	_ context.Context, _ *design.Mutation, in *write.Input, errs *write.UserErrors,
) error {
	c := checked{in: in}
	c.user()
	r.at(in, "createdAt")
	*errs = c.UserErrors
	return nil
}

// checkUserChange checks a change of the viewer. What is null stays as it is.
func checkUserChange(_ context.Context, m *design.Mutation, in *write.Input, errs *write.UserErrors) error {
	c := checked{in: in}
	in.Remove = nil
	if !in.Changes(typed.Design, m) {
		c.Add(write.CodeInvalid, "", "give a new name, a new email or both")
	}
	c.user()
	*errs = c.UserErrors
	return nil
}

// checkFollow checks both ends of a follow by the viewer.
func (r *Resolver) checkFollow(
	ctx context.Context, m *design.Mutation, in *write.Input, errs *write.UserErrors,
) error {
	c := checked{in: in}
	_, from := c.viewer(ctx)
	to := c.Key("followeeId", keys.ID(in.Set.Text("followeeId")), "User", typed.UserKey)
	if !c.Any() && from == to {
		c.Add(write.CodeInvalid, "followeeId", "followeeId must be another user: nobody follows themselves")
	}
	if m.Kind == design.CreateMutation {
		r.at(in, "followedAt")
	}
	*errs = c.UserErrors
	return nil
}
