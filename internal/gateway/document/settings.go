package document

import "cmp"

// Limits are limits on documents, and on the values that come with them. A field that is zero has its default: no
// operator knows better values, because they follow from what documents of clients look like.
//
// They apply to each of a document's operations, executed or not, and a fragment counts wherever it is spread. They are
// checked before validation, which takes time quadratic in the number of fields that it compares.
type Limits struct {
	// MaxVariablesBytes is the largest size of the variables of a request, and of its extensions, in bytes of JSON:
	// 128 KiB, 200 ids in each of several lists.
	MaxVariablesBytes int
	// MaxTokens is the largest number of lexical tokens in a document: 2000, ten times those of a large page.
	MaxTokens int
	// MaxFields is how many fields an operation may select: 5000, which limits the plan of a document within MaxTokens.
	MaxFields int
	// MaxRootFields is how many fields of the type Query or Mutation an operation may select: 50, each of which may be a
	// request of the first wave.
	MaxRootFields int
	// MaxAliases is how many aliases an operation may use: 200, so that no field is selected any number of times.
	MaxAliases int
	// MaxDepth is the largest depth of nested fields in an operation, and of nested lists and objects in a value: 20. The
	// introspection of GraphiQL has 13.
	MaxDepth int
	// MaxDirectives is the largest number of directives at one place of a document: 5.
	MaxDirectives int
	// MaxListItems is the largest number of items of a list in an argument or a variable: 200, twice the keys of a
	// BatchGetItem.
	MaxListItems int
	// MaxPlanBytes is the size of the cache of valid documents and their plans, in bytes: 16 MiB, some thousand documents.
	MaxPlanBytes int64
}

// WithDefaults returns the limits with the defaults of those that are zero.
func (l Limits) WithDefaults() Limits {
	l.MaxVariablesBytes = cmp.Or(l.MaxVariablesBytes, 128<<10)
	l.MaxTokens = cmp.Or(l.MaxTokens, 2000)
	l.MaxFields = cmp.Or(l.MaxFields, 5000)
	l.MaxRootFields = cmp.Or(l.MaxRootFields, 50)
	l.MaxAliases = cmp.Or(l.MaxAliases, 200)
	l.MaxDepth = cmp.Or(l.MaxDepth, 20)
	l.MaxDirectives = cmp.Or(l.MaxDirectives, 5)
	l.MaxListItems = cmp.Or(l.MaxListItems, 200)
	l.MaxPlanBytes = cmp.Or(l.MaxPlanBytes, 16<<20)
	return l
}

// Settings are which operations may be executed, beside the limits, and what errors in them show.
type Settings struct {
	// Manifest lists the operations that may be executed; without it, all may that are within the limits.
	Manifest *Manifest
	// DisableIntrospection rejects operations that select __schema or __type.
	DisableIntrospection bool
	// DisableSuggestions removes suggestions for misspelled names of the schema from errors.
	DisableSuggestions bool
}
