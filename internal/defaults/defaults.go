// Package defaults sets the defaults of settings that Go code creates: those in the struct's tags,
// which kong applies to settings from the command line. It also checks the ranges in these tags, for both.
//
// A default is stated in the tag alone. The environment is not read here: it would override what the command line has
// parsed. Programs in Go may exceed the ranges, whose upper ends are for mistakes on the command line.
package defaults

import (
	"fmt"

	"github.com/alecthomas/kong"
)

// Apply sets each zero field of the struct to the default in its tag, and returns an error for a
// number below its range; a program may have a reason to exceed one. Unlike kong.ApplyDefaults it
// does not read the environment: a value that the command line has parsed is not replaced, and tests
// do not depend on the environment.
func Apply[T any](settings *T) error {
	if err := kong.ApplyDefaults(settings, kong.PostBuild(ignoreEnvironment)); err != nil {
		return fmt.Errorf("defaults of %T: %w", settings, err)
	}
	flags, err := flagsOf(settings)
	if err != nil {
		return err
	}
	return checkRanges(flags, true)
}

func ignoreEnvironment(k *kong.Kong) error {
	for _, flag := range k.Model.Flags {
		flag.Envs, flag.Tag.Envs = nil, nil
	}
	return nil
}
