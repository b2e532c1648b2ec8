package operation

import (
	"time"

	"github.com/partita/partita/gateway/document"
)

// Limits are limits on what one caller can make the gateway do. The tags are for kong: a command embeds the struct. A
// field that is zero has the default in its tag, if there is one.
type Limits struct {
	MaxBodyBytes int64 `env:"MAX_BODY_BYTES" default:"1048576" range:"1..1073741824" help:"Largest body of a request, in bytes."`
	document.Limits
	OperationTimeout time.Duration `env:"OPERATION_TIMEOUT" default:"10s" range:"1ns..24h" help:"How long one operation may take, waiting for its turn included."`

	// The limits of the process are derived from its CPUs and memory if they are zero, see Derive.

	MaxOperations             int   `env:"MAX_OPERATIONS" range:"0..1000000" help:"Operations in flight; further ones wait. By default, derived from CPUs and memory."`
	MaxOperationsPerCaller    int   `env:"MAX_OPERATIONS_PER_CALLER" range:"0..1000000" help:"Operations in flight of one viewer or anonymous address, and as many that wait. A quarter of the above by default, but at least 64."`
	MaxBufferedBytes          int64 `env:"MAX_BUFFERED_BYTES" range:"0..1099511627776" help:"Request bodies, and answers that clients have not read yet, in bytes. By default, an eighth of the memory."`
	MaxBufferedBytesPerCaller int64 `env:"MAX_BUFFERED_BYTES_PER_CALLER" range:"0..1099511627776" help:"The same for one viewer or anonymous address. A quarter of the above by default."`
	MaxAnswerBytes            int64 `env:"MAX_ANSWER_BYTES" range:"0..1099511627776" help:"Largest data of an answer, in bytes of JSON. 8388608 by default, but at most half of what one caller may have in buffers."`
}
