package design

import (
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// The types that live data adds to a schema.
const (
	// Subscription is the root of subscriptions.
	Subscription = "Subscription"
	// LiveChange is the enum of what has happened to a collection.
	LiveChange = "LiveChange"
)

// LiveEvent returns the name of the type of the events of a connection.
func LiveEvent(connection string) string { return connection + "Event" }

// LiveParent returns the argument of a field of Subscription with the global id of the parent: orderId for a field of
// Order.
func LiveParent(typeName string) string {
	return strings.ToLower(typeName[:1]) + typeName[1:] + "Id"
}

// addLive adds the fields of Subscription and their rules.
func (d *Design) addLive() error {
	for _, f := range d.Fields {
		if f.LiveAs == "" {
			continue
		}
		live, err := d.newLive(f)
		if err != nil {
			return err
		}
		at, rule := coordinate{live.Parent, live.Name}, d.Rule(f.Parent, f.Name)
		if live.parent != nil {
			rule = ownedBy(rule, live.fromParent)
		}
		d.Live, d.fields[at], d.rules[at] = append(d.Live, live), live, rule
	}
	return nil
}

// newLive returns the field of Subscription for a field with LiveAs. It has the same key condition: what the field has
// from its parent, it has from the parent's global id, which is its first argument. It has no Count, because the parent
// is not read.
func (d *Design) newLive(of *Field) (*Field, error) {
	live := *of
	live.Parent, live.Name, live.LiveAs, live.Count, live.Live = Subscription, of.LiveAs, "", "", of
	if parent := d.types[of.Parent]; parent != nil {
		id := keys.Argument{Name: LiveParent(parent.Name), Kind: keys.IDKind, Ref: parent.Name}
		if n := len(parent.Identity); n > 1 {
			id.Parts = n
		}
		live.Arguments = append([]keys.Argument{id}, of.Arguments...)
		live.parent = &liveParent{argument: id.Name, identity: parent.Identity}
		live.parent.rule = ownedBy(parent.Rule, live.parent.variable)
		live.PK, live.SK = live.PK.Renamed(live.fromParent), live.SK.Renamed(live.fromParent)
	}
	return Resolve(d.Types, &live)
}

// variable returns the name that an attribute of the parent has in the field of Subscription: that of the argument, or
// for one of several values of the id, that of the argument and the attribute, such as reviewId.number.
func (p *liveParent) variable(attribute string) string {
	if len(p.identity) == 1 && p.identity[0] == attribute {
		return p.argument
	}
	return p.argument + "." + attribute
}

// fromParent returns the name of a variable of the field with LiveAs in its field of Subscription.
func (f *Field) fromParent(variable string) string {
	if variable == keys.ViewerVariable || f.Live.Argument(variable) != nil {
		return variable
	}
	return f.parent.variable(variable)
}

// ownedBy returns a rule with the names that its owner, and the variables of its members, have in the field of
// Subscription.
func ownedBy(r *Rule, name func(string) string) *Rule {
	if !r.DependsOnObject() {
		return r
	}
	renamed := *r
	if r.Owner != "" {
		renamed.Owner = name(r.Owner)
	}
	renamed.Members = make([]*Member, len(r.Members))
	for i, m := range r.Members {
		of := *m
		of.PK, of.SK = m.PK.Renamed(exceptViewer(name)), m.SK.Renamed(exceptViewer(name))
		renamed.Members[i] = &of
	}
	return &renamed
}

func exceptViewer(name func(string) string) func(string) string {
	return func(variable string) string {
		if variable == keys.ViewerVariable {
			return variable
		}
		return name(variable)
	}
}

// withParts returns values that also have those of the parent's id.
func (f *Field) withParts(values func(string) keys.Value) func(string) keys.Value {
	if f.parent == nil || len(f.parent.identity) == 1 {
		return values
	}
	return func(name string) keys.Value {
		argument, attribute, isPart := strings.Cut(name, ".")
		if !isPart {
			return values(name)
		}
		id := values(argument)
		text, ok := id.Single()
		if !ok {
			return id
		}
		return keys.PartValue(keys.ID(text), slices.Index(f.parent.identity, attribute))
	}
}
