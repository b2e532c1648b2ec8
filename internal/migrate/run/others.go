package run

import (
	"strings"
	"time"

	"github.com/partita/partita/keys"
)

// Other is a change of the former form of an object by another program.
type Other struct {
	PK keys.PK   `json:"pk"`
	SK keys.SK   `json:"sk,omitempty"`
	At time.Time `json:"at"`
}

// String returns the key and when it was written.
func (o Other) String() string {
	return strings.TrimSpace(string(o.PK)+" "+string(o.SK)) + " at " + o.At.UTC().Format(time.RFC3339)
}

// OthersError is the error of a migration that is not finished because another program still writes the former form.
type OthersError struct {
	// Others are the last changes.
	Others []Other
	Quiet  time.Duration
}

// Error lists the changes.
func (e *OthersError) Error() string {
	lines := make([]string, len(e.Others))
	for i, o := range e.Others {
		lines[i] = o.String()
	}
	return "another program has written the former form of objects within " + e.Quiet.String() + ": " +
		strings.Join(lines, ", ")
}
