package write

import "github.com/partita/partita/item"

// AttributeVersion is the attribute with the version of an object: an optimistic
// lock. Each change of the object raises it by one, under the condition that it is
// still the version on which the change is based. Changes of counters do not.
const AttributeVersion = "version"

// IfVersion requires an item with that version.
func IfVersion(version int) Precondition {
	return IfEquals(AttributeVersion, item.NumberValue(version))
}

// Outdated adds a user error if a part of a transaction failed because its object
// has another version than the given one. It returns the object as it is stored
// now, or nil and no user error if there is none any more.
func Outdated[T any](
	errs *UserErrors, f *Failure, name string, given int, fill func(item.Item) (*T, error),
) (*T, error) {
	it := f.Item(name)
	if it == nil {
		return nil, nil
	}
	version, _ := it.Get(AttributeVersion)
	now, err := item.AsInt(version)
	if err != nil {
		return nil, err
	}
	errs.Outdated(given, now)
	return fill(it)
}
