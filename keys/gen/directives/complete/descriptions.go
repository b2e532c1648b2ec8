package complete

import (
	"strings"

	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/gen/directives/reading"
	"github.com/partita/partita/keys/gen/directives/sdl"
)

const descriptionOfRoot = `The entry points for writing. Each is one transaction: all of it happens, or nothing does.
What a person can correct is in the payload's ` + "`userErrors`" + `, and nothing was written then;
everything else is an error of the field. After ` + "`UNAVAILABLE`" + ` the mutation may have happened
all the same. Fields of a payload are read after the write, strongly consistent.`

const descriptionOfKey = "Makes the creation happen once: repeated with the same key and input within a day, " +
	"it returns the same object."

// descriptions are those of what is added for a mutation.
type descriptions struct{ field, argument, input, payload, object, errors string }

// describe returns the descriptions of a mutation.
func describe(m *reading.Mutation) descriptions {
	name := sdl.Article(m.Def.Name)
	d := descriptions{errors: "What to correct: " + strings.Join(errors(m), ", ") + "."}
	switch m.Kind {
	case design.CreateMutation:
		d.field, d.argument = "Creates "+name+".", "The new "+m.Def.Name+"."
		d.input, d.payload = "A new "+m.Def.Name+".", "The new "+m.Def.Name+", or why there is none."
		d.object = "The " + m.Def.Name + " as stored; null when there are errors."
		if !m.GeneratesID() {
			d.object = "The " + m.Def.Name + " as stored, also when it exists `ALREADY`; null after other errors."
		}
	case design.UpdateMutation:
		d.field, d.argument = "Changes "+name+".", "What to change."
		d.input = "A change of " + name + ". What is absent stays as it is; null removes a value that may be null."
		d.payload = "The changed " + m.Def.Name + ", or why nothing changed."
		d.object = "The " + m.Def.Name + " as stored now" + afterConflict(m) + "; null when there is none."
	default:
		d.field, d.argument = "Deletes "+name+".", "What to delete."
		d.input = "Which " + m.Def.Name + " to delete."
		d.payload = "The id of the deleted " + m.Def.Name + ", or why nothing was deleted."
		d.object = "The " + m.Def.Name + " as stored now after a `CONFLICT`; otherwise null."
		if sdl.VersionOf(m.Def) == nil {
			d.object = "Null once it is deleted."
		}
	}
	if m.Viewer() != "" {
		d.field = strings.TrimSuffix(d.field, ".") + " of the viewer."
	}
	return d
}

func afterConflict(m *reading.Mutation) string {
	if sdl.VersionOf(m.Def) == nil {
		return ""
	}
	return ", also after a `CONFLICT`"
}

// errors lists the user errors of a mutation.
func errors(m *reading.Mutation) []string {
	list := []string{"`INVALID` values"}
	switch {
	case m.Kind != design.CreateMutation:
		list = append(list, "an object that is `NOT_FOUND`")
		if sdl.VersionOf(m.Def) != nil {
			list = append(list, "an outdated version (`CONFLICT`)")
		}
	case m.GeneratesID():
		list = append(list, "an idempotency key of another input (`KEY_REUSED`)")
	default:
		list = append(list, "an object that exists `ALREADY`")
	}
	var unique []string
	for _, f := range m.Inputs() {
		if f.Directives.ForName("unique") != nil {
			unique = append(unique, "`"+f.Name+"`")
		}
	}
	if len(unique) > 0 {
		list = append(list, sdl.OneOf(unique)+" that is `TAKEN`")
	}
	return list
}
