package plan

import (
	"slices"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Messages for representations that name no entity. None contains what the caller has sent.
const (
	noRepresentation = "a representation is an object with __typename and the fields of the key, " +
		`such as {__typename: "User", id: "..."}`
	noTypename = "a representation needs __typename, the name of its type"
	noEntity   = "__typename is not the name of a type with a key in this subgraph"
	noID       = "a representation needs id, the key of its type, as a String"
	noIDOfType = "this is not an id of the type in __typename; pass an id exactly as this subgraph gave it"
)

// setRepresentations sets the ids of the entities that representations name, and an error for each one that names none.
//
// https://www.apollographql.com/docs/graphos/schema-design/federated-schemas/reference/subgraph-spec
func (a *Arguments) setRepresentations(d *design.Design, f *design.Field, raw any) {
	list, isList := raw.([]any)
	if !isList {
		list = []any{raw}
	}
	a.IDs, a.IDErrs = make([]keys.ID, len(list)), make([]error, len(list))
	for i, representation := range list {
		if a.IDErrs[i] = entityNotReady(d, representation); a.IDErrs[i] != nil {
			continue
		}
		id, problem := entityID(f, representation)
		if problem != "" {
			a.IDErrs[i] = &keys.InputError{Argument: design.RepresentationsArgument, Message: problem}
			continue
		}
		a.IDs[i] = d.CurrentID(id)
	}
}

// entityID returns the id of the entity that a representation names, or what is wrong with it. Fields beside the key
// are ignored.
func entityID(f *design.Field, raw any) (id keys.ID, problem string) {
	representation, isObject := raw.(map[string]any)
	if !isObject {
		return "", noRepresentation
	}
	typeName, isText := representation["__typename"].(string)
	if !isText {
		return "", noTypename
	}
	if !slices.Contains(f.Types, typeName) {
		return "", noEntity
	}
	text, isText := representation["id"].(string)
	if !isText {
		return "", noID
	}
	id, err := keys.ParseID(text)
	if err != nil || id.Type() != typeName {
		return "", noIDOfType
	}
	return id, ""
}

// entityNotReady returns the error of a representation of a type whose objects cannot be found by their ids, or nil.
func entityNotReady(d *design.Design, raw any) error {
	representation, _ := raw.(map[string]any)
	typeName, _ := representation["__typename"].(string)
	return d.IDNotReady(typeName)
}

// service is what the field of a Federation subgraph returns that describes it.
type service struct{ sdl string }
