package gateway

import (
	"fmt"
	"time"
)

// Limits are limits on what one caller can make the gateway do. The tags are for kong, so that a command embeds the
// struct. A field that is zero has the default that its tag states.
//
// The limits of a document hold for each of its operations, executed or not, with each fragment counted wherever it is
// spread. They are checked before validation, which takes time quadratic in what it compares.
type Limits struct {
	MaxBodyBytes      int64         `env:"MAX_BODY_BYTES" default:"1048576" help:"Largest body of a request, in bytes."`
	MaxVariablesBytes int           `env:"MAX_VARIABLES_BYTES" default:"131072" help:"Largest variables of a request, and largest extensions, in bytes of JSON."`
	MaxTokens         int           `env:"MAX_TOKENS" default:"2000" help:"Lexical tokens of a document at most."`
	MaxFields         int           `env:"MAX_FIELDS" default:"5000" help:"Fields that an operation may select, each fragment counted wherever it is spread."`
	MaxRootFields     int           `env:"MAX_ROOT_FIELDS" default:"50" help:"Fields that an operation may select of the query or mutation itself."`
	MaxAliases        int           `env:"MAX_ALIASES" default:"200" help:"Aliases that an operation may use."`
	MaxDepth          int           `env:"MAX_DEPTH" default:"20" help:"Levels of nested fields in an operation, and of nested lists and objects in a value, at most."`
	MaxDirectives     int           `env:"MAX_DIRECTIVES" default:"5" help:"Directives at one place of a document at most."`
	MaxListItems      int           `env:"MAX_LIST_ITEMS" default:"200" help:"Items of a list in an argument or a variable at most."`
	MaxOperations     int           `env:"MAX_OPERATIONS" default:"1000" help:"Operations under way at a time; beyond, they are refused at once."`
	OperationTimeout  time.Duration `env:"OPERATION_TIMEOUT" default:"10s" help:"How long one operation may take."`
}

// Validate returns an error, with the name of the flag, for a limit that no operation could keep.
func (l Limits) Validate() error {
	for _, limit := range []struct {
		flag  string
		value int64
	}{
		{"max-body-bytes", l.MaxBodyBytes},
		{"max-variables-bytes", int64(l.MaxVariablesBytes)},
		{"max-tokens", int64(l.MaxTokens)},
		{"max-fields", int64(l.MaxFields)},
		{"max-root-fields", int64(l.MaxRootFields)},
		{"max-aliases", int64(l.MaxAliases)},
		{"max-depth", int64(l.MaxDepth)},
		{"max-directives", int64(l.MaxDirectives)},
		{"max-list-items", int64(l.MaxListItems)},
		{"max-operations", int64(l.MaxOperations)},
	} {
		if limit.value < 1 {
			return fmt.Errorf("--%s must be at least 1, not %d", limit.flag, limit.value)
		}
	}
	if l.OperationTimeout <= 0 {
		return fmt.Errorf("--operation-timeout must be longer than 0s, not %v", l.OperationTimeout)
	}
	return nil
}
