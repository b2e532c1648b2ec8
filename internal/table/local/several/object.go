package several

// object is a JSON object.
type object = map[string]any

func text(v any) string {
	s, _ := v.(string)
	return s
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func objects(v any) []object {
	var all []object
	for _, e := range list(v) {
		if o, is := e.(object); is {
			all = append(all, o)
		}
	}
	return all
}
