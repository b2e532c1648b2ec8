package document

// Settings are which operations may be executed, beside the limits, and what errors in them show.
type Settings struct {
	// Manifest lists the operations that may be executed; without it, all may that are within the limits.
	Manifest *Manifest
	// DisableIntrospection rejects operations that select __schema or __type.
	DisableIntrospection bool
	// DisableSuggestions removes suggestions for misspelled names of the schema from errors.
	DisableSuggestions bool
}
