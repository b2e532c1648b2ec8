package run

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// Code is why an object stops a migration.
type Code string

// The codes.
const (
	// MissingValue: an attribute must not be null any longer, has no default, and is not stored.
	MissingValue Code = "MISSING_VALUE"
	// InvalidValue: a value is none of the later design, or cannot be part of its keys.
	InvalidValue Code = "INVALID_VALUE"
	// TooLarge: the object has more bytes than the later design allows.
	TooLarge Code = "TOO_LARGE"
	// Duplicate: another object has a value that must be unique.
	Duplicate Code = "DUPLICATE"
	// Differs: the object has other values by the former design than by the later one, or is stored by the former one
	// alone. Another program has written it.
	Differs Code = "DIFFERS"
	// Unreadable: an attribute is not stored as the former design declares.
	Unreadable Code = "UNREADABLE"
)

// Blocked is an object that has no form by the design to which a migration goes.
type Blocked struct {
	Code Code    `json:"code"`
	Type string  `json:"type"`
	PK   keys.PK `json:"pk"`
	SK   keys.SK `json:"sk,omitempty"`
	// Problem is a sentence that says what is wrong.
	Problem string `json:"problem"`
}

// BlockedError is the error of a migration that objects stop. The table is served as before.
type BlockedError struct {
	mu      sync.Mutex
	Objects []Blocked
}

// maxBlocked limits how many objects are listed.
const maxBlocked = 10_000

// Error returns a line for each object.
func (e *BlockedError) Error() string {
	lines := make([]string, len(e.Objects))
	for i, b := range e.Objects {
		lines[i] = fmt.Sprintf("%s %s: %s: %s", b.Code, strings.TrimSpace(string(b.PK)+" "+string(b.SK)), b.Type, b.Problem)
	}
	return strings.Join(lines, "\n")
}

func (e *BlockedError) add(b Blocked) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.Objects) < maxBlocked {
		e.Objects = append(e.Objects, b)
	}
}

func (e *BlockedError) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.Objects)
}

func (e *BlockedError) sorted() *BlockedError {
	slices.SortFunc(e.Objects, func(a, b Blocked) int { return cmp.Or(cmp.Compare(a.PK, b.PK), cmp.Compare(a.SK, b.SK)) })
	return e
}

// blocks reports whether an object has no form by the other design, and why.
func (m *Migrator) blocks(s side, t *design.Type, it item.Item) (Blocked, bool) {
	key := keys.KeyOf(it)
	b := Blocked{Code: InvalidValue, Type: t.Name, PK: key.PK, SK: key.SK}
	translation, other := s.forward, s.other
	if keys.IsDeleted(it) {
		return b, false
	}
	if err := write.CheckAttributes(t, it); err != nil {
		b.Code, b.Problem = Unreadable, err.Error()
		return b, true
	}
	object, is := translation.Object(it)
	if !is {
		return b, false
	}
	ot := other.Type(object.Type())
	for _, a := range ot.Attributes {
		v, has := object.Get(a.Name)
		if a.NonNull && (!has || v.Kind == item.Null) {
			b.Code = MissingValue
			b.Problem = a.Name + " must not be null, and is not stored: write @default(value:), or store it first"
			return b, true
		}
		if path := missingWithin(ot, a.Object, a.Name, v); path != "" {
			b.Code = MissingValue
			b.Problem = path + " must not be null, and is not stored: let it be null, or store it first"
			return b, true
		}
	}
	later := m.to
	if other == m.from.Design {
		later = m.from
	}
	if attribute, value := later.UnknownValue(ot, object); value != "" {
		b.Problem = fmt.Sprintf("%s is %s, which is no value any more: change it, or write @was on a new value", attribute,
			value)
		return b, true
	}
	err := write.CheckAttributes(ot, object)
	if err == nil {
		_, err = write.ItemsOf(other, ot, object)
	}
	var input *keys.InputError
	switch {
	case errors.As(err, &input):
		b.Problem = input.Message
	case err != nil:
		b.Problem = err.Error()
	case ot.StoredSize(object) > ot.MaxBytes:
		b.Code = TooLarge
		b.Problem = fmt.Sprintf("it has %d bytes; at most %d are allowed", ot.StoredSize(object), ot.MaxBytes)
	default:
		return b, false
	}
	return b, true
}

// missingWithin returns the path to a field that must not be null and that an object within an attribute lacks; "" if
// there is none.
func missingWithin(t *design.Type, object, path string, v item.Value) string {
	o := t.Object(object)
	switch {
	case o == nil:
		return ""
	case v.Kind == item.List:
		for _, element := range v.Elements() {
			if missing := missingWithin(t, object, path, element); missing != "" {
				return missing
			}
		}
	case v.Kind == item.Map:
		for _, a := range o.Attributes {
			field, has := v.Fields().Find(a.Name)
			if a.NonNull && (!has || field.Kind == item.Null) {
				return path + "." + a.Name
			}
			if missing := missingWithin(t, a.Object, path+"."+a.Name, field); missing != "" {
				return missing
			}
		}
	}
	return ""
}

// conflict returns why the transaction with the other form of an object was not carried out.
func conflict(t *design.Type, it item.Item) Blocked {
	key := keys.KeyOf(it)
	return Blocked{Code: Duplicate, Type: t.Name, PK: key.PK, SK: key.SK,
		Problem: "it lacks its form by the other design, because an item that this needs is there already: change the " +
			"value of one of both objects, or delete the item, and run the command again"}
}
