package document

// Limits are limits on documents, and on the values that come with them. The tags are for kong. A field that is
// zero has the default in its tag.
//
// They apply to each of a document's operations, executed or not, and a fragment counts wherever it is spread. They are
// checked before validation, which takes time quadratic in the number of fields that it compares.
type Limits struct {
	MaxVariablesBytes int   `env:"MAX_VARIABLES_BYTES" default:"131072" range:"1..1073741824" help:"Largest variables of a request, and largest extensions, in bytes of JSON."`
	MaxTokens         int   `env:"MAX_TOKENS" default:"2000" range:"1..1000000" help:"Largest number of lexical tokens in a document."`
	MaxFields         int   `env:"MAX_FIELDS" default:"5000" range:"1..1000000" help:"Fields that an operation may select; a fragment counts wherever it is spread."`
	MaxRootFields     int   `env:"MAX_ROOT_FIELDS" default:"50" range:"1..1000000" help:"Fields of the type Query or Mutation that an operation may select."`
	MaxAliases        int   `env:"MAX_ALIASES" default:"200" range:"1..1000000" help:"Aliases that an operation may use."`
	MaxDepth          int   `env:"MAX_DEPTH" default:"20" range:"1..1000" help:"Largest depth of nested fields in an operation, and of nested lists and objects in a value."`
	MaxDirectives     int   `env:"MAX_DIRECTIVES" default:"5" range:"1..1000" help:"Largest number of directives at one place of a document."`
	MaxListItems      int   `env:"MAX_LIST_ITEMS" default:"200" range:"1..1000000" help:"Largest number of items of a list in an argument or a variable."`
	MaxPlanBytes      int64 `env:"MAX_PLAN_BYTES" default:"16777216" range:"1..1099511627776" help:"Size of the cache of valid documents and their plans, in bytes."`
}
