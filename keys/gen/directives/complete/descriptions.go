package directives

import (
	"strings"

	"github.com/partita/partita/keys"
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
func describe(m *mutation) descriptions {
	name := article(m.def.Name)
	d := descriptions{errors: "What to correct: " + strings.Join(m.errors(), ", ") + "."}
	switch m.kind {
	case keys.CreateMutation:
		d.field, d.argument = "Creates "+name+".", "The new "+m.def.Name+"."
		d.input, d.payload = "A new "+m.def.Name+".", "The new "+m.def.Name+", or why there is none."
		d.object = "The " + m.def.Name + " as stored; null when there are errors."
		if !m.generatesID() {
			d.object = "The " + m.def.Name + " as stored, also when it exists `ALREADY`; null after other errors."
		}
	case keys.UpdateMutation:
		d.field, d.argument = "Changes "+name+".", "What to change."
		d.input = "A change of " + name + ". What is absent stays as it is; null removes a value that may be null."
		d.payload = "The changed " + m.def.Name + ", or why nothing changed."
		d.object = "The " + m.def.Name + " as stored now" + m.afterConflict() + "; null when there is none."
	default:
		d.field, d.argument = "Deletes "+name+".", "What to delete."
		d.input = "Which " + m.def.Name + " to delete."
		d.payload = "The id of the deleted " + m.def.Name + ", or why nothing was deleted."
		d.object = "The " + m.def.Name + " as stored now after a `CONFLICT`; otherwise null."
		if versionOf(m.def) == nil {
			d.object = "Null once it is deleted."
		}
	}
	if m.viewer() != "" {
		d.field = strings.TrimSuffix(d.field, ".") + " of the viewer."
	}
	return d
}

func (m *mutation) afterConflict() string {
	if versionOf(m.def) == nil {
		return ""
	}
	return ", also after a `CONFLICT`"
}

// errors lists the user errors of a mutation.
func (m *mutation) errors() []string {
	list := []string{"`INVALID` values"}
	switch {
	case m.kind != keys.CreateMutation:
		list = append(list, "an object that is `NOT_FOUND`")
		if versionOf(m.def) != nil {
			list = append(list, "an outdated version (`CONFLICT`)")
		}
	case m.generatesID():
		list = append(list, "an idempotency key of another input (`KEY_REUSED`)")
	default:
		list = append(list, "an object that exists `ALREADY`")
	}
	var unique []string
	for _, f := range m.inputs() {
		if f.Directives.ForName("unique") != nil {
			unique = append(unique, "`"+f.Name+"`")
		}
	}
	if len(unique) > 0 {
		list = append(list, oneOf(unique)+" that is `TAKEN`")
	}
	return list
}

// article returns a name with the indefinite article: that of User and Unit for all that begin with a U.
func article(name string) string {
	if strings.IndexByte("AEIOaeio", name[0]) >= 0 {
		return "an " + name
	}
	return "a " + name
}
