package gateway

import "time"

// Limits are limits on what one caller can make the gateway do. The tags are for kong: a command embeds the struct. A
// field that is zero has the default in its tag, if there is one.
//
// The limits of a document apply to each of its operations, executed or not, and a fragment counts wherever it is
// spread. They are checked before validation, which takes time quadratic in the number of fields that it compares.
type Limits struct {
	MaxBodyBytes      int64         `env:"MAX_BODY_BYTES" default:"1048576" range:"1..1073741824" help:"Largest body of a request, in bytes."`
	MaxVariablesBytes int           `env:"MAX_VARIABLES_BYTES" default:"131072" range:"1..1073741824" help:"Largest variables of a request, and largest extensions, in bytes of JSON."`
	MaxTokens         int           `env:"MAX_TOKENS" default:"2000" range:"1..1000000" help:"Largest number of lexical tokens in a document."`
	MaxFields         int           `env:"MAX_FIELDS" default:"5000" range:"1..1000000" help:"Fields that an operation may select; a fragment counts wherever it is spread."`
	MaxRootFields     int           `env:"MAX_ROOT_FIELDS" default:"50" range:"1..1000000" help:"Fields of the type Query or Mutation that an operation may select."`
	MaxAliases        int           `env:"MAX_ALIASES" default:"200" range:"1..1000000" help:"Aliases that an operation may use."`
	MaxDepth          int           `env:"MAX_DEPTH" default:"20" range:"1..1000" help:"Largest depth of nested fields in an operation, and of nested lists and objects in a value."`
	MaxDirectives     int           `env:"MAX_DIRECTIVES" default:"5" range:"1..1000" help:"Largest number of directives at one place of a document."`
	MaxListItems      int           `env:"MAX_LIST_ITEMS" default:"200" range:"1..1000000" help:"Largest number of items of a list in an argument or a variable."`
	MaxPlanBytes      int64         `env:"MAX_PLAN_BYTES" default:"16777216" range:"1..1099511627776" help:"Size of the cache of valid documents and their plans, in bytes."`
	OperationTimeout  time.Duration `env:"OPERATION_TIMEOUT" default:"10s" range:"1ns..24h" help:"How long one operation may take, waiting for its turn included."`

	// The limits of the process are derived from its CPUs and memory if they are zero, see Derive.

	MaxOperations             int   `env:"MAX_OPERATIONS" range:"0..1000000" help:"Operations in flight; further ones wait. By default, derived from CPUs and memory."`
	MaxOperationsPerCaller    int   `env:"MAX_OPERATIONS_PER_CALLER" range:"0..1000000" help:"Operations in flight of one viewer or anonymous address, and as many that wait. A quarter of the above by default, but at least 64."`
	MaxBufferedBytes          int64 `env:"MAX_BUFFERED_BYTES" range:"0..1099511627776" help:"Request bodies, and answers that clients have not read yet, in bytes. By default, an eighth of the memory."`
	MaxBufferedBytesPerCaller int64 `env:"MAX_BUFFERED_BYTES_PER_CALLER" range:"0..1099511627776" help:"The same for one viewer or anonymous address. A quarter of the above by default."`
	MaxAnswerBytes            int64 `env:"MAX_ANSWER_BYTES" range:"0..1099511627776" help:"Largest data of an answer, in bytes of JSON. 8388608 by default, but at most half of what one caller may have in buffers."`
}
