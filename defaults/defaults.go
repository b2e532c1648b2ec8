// Package defaults gives settings that are built in Go the same defaults as those
// that kong reads from the command line: the ones in the struct's tags.
package defaults

import (
	"fmt"

	"github.com/alecthomas/kong"
)

// Apply sets each zero field of the struct to the default in its tag. Unlike
// kong.ApplyDefaults it does not read the environment: a value that the command
// line has parsed keeps its meaning, and a test does not depend on where it runs.
func Apply[T any](settings *T) error {
	if err := kong.ApplyDefaults(settings, kong.PostBuild(ignoreEnvironment)); err != nil {
		return fmt.Errorf("defaults of %T: %w", settings, err)
	}
	return nil
}

func ignoreEnvironment(k *kong.Kong) error {
	for _, flag := range k.Model.Flags {
		flag.Envs, flag.Tag.Envs = nil, nil
	}
	return nil
}
