package design

import "github.com/partita/partita/keys"

// checkUnset returns an InputError for an empty text as the value of a variable that ends a partition key of an index
// and may be unset: this key is that of the objects without a value.
func checkUnset(pk keys.Template, values func(name string) keys.Value) error {
	segments := pk.Segments()
	if len(segments) == 0 || !segments[len(segments)-1].Optional {
		return nil
	}
	last := &segments[len(segments)-1]
	if v := values(last.Variable); v.IsSet() && v.Err() == nil && v.Text() == "" {
		return keys.InputErrorf(last.Variable, "%s must not be empty", last.Variable)
	}
	return nil
}
