package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// comparison is one run of Compare.
type comparison struct {
	base, head *ast.Schema
	used       usages
	// files are those of both versions.
	files   []string
	changes Changes
	// damaging are the paths of changes with which stored objects need not agree: those are not safe, too.
	damaging map[string]bool
	// announced is set while the parts of something deprecated are compared.
	announced bool
}

// breaking, dangerous and safe add a change. fix is ignored if the change has been announced.
func (c *comparison) breaking(path string, at positions, fix, format string, args ...any) {
	change := Change{Level: Breaking, Path: path, What: fmt.Sprintf(format, args...), Announced: c.announced}
	if !c.announced {
		change.Fix = fix
	}
	c.add(change, at)
}

// data adds a change with which stored objects need not agree: breaking, also if it was announced to clients.
func (c *comparison) data(path string, at positions, fix, format string, args ...any) {
	c.damaging[path] = true
	c.add(Change{Level: Breaking, Path: path, What: fmt.Sprintf(format, args...), Fix: fix}, at)
}

func (c *comparison) dangerous(path string, at positions, format string, args ...any) {
	c.add(Change{Level: Dangerous, Path: path, What: fmt.Sprintf(format, args...)}, at)
}

func (c *comparison) safe(path string, at positions, format string, args ...any) {
	c.add(Change{Level: Safe, Path: path, What: fmt.Sprintf(format, args...)}, at)
}

// add adds a change with its place.
func (c *comparison) add(change Change, at positions) {
	if change.locate(at); !slices.Contains(c.files, change.File) {
		change.File, change.Line, change.InBase = "", 0, false
	}
	c.changes = append(c.changes, change)
}

// within compares the parts of an element. If it was deprecated, so were they.
func (c *comparison) within(wasDeprecated bool, compare func()) {
	outer := c.announced
	c.announced = outer || wasDeprecated
	compare()
	c.announced = outer
}

// designs compares what clients notice of the design.
type designs struct {
	*comparison
	base, head *design.Design
}

// namesOf returns the names of two maps together, sorted.
func namesOf[T any](base, head map[string]T) []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(base)), maps.Keys(head))
	slices.Sort(names)
	return slices.Compact(names)
}

// isOfGraphQL reports whether a name is reserved for GraphQL itself.
func isOfGraphQL(name string) bool { return strings.HasPrefix(name, "__") }

func positionsOf(base, head *ast.Definition) positions {
	var p positions
	if base != nil {
		p.base = base.Position
	}
	if head != nil {
		p.head = head.Position
	}
	return p
}

// described compares descriptions.
func (c *comparison) described(path string, at positions, base, head string) {
	if base != head {
		c.safe(path, at, "the description is another one")
	}
}

// deprecations compares whether and why an element is deprecated.
func (c *comparison) deprecations(path string, at positions, base, head ast.DirectiveList) {
	was, is := base.ForName(deprecatedName), head.ForName(deprecatedName)
	switch {
	case was == nil && is == nil:
	case was == nil:
		c.safe(path, at, "it is deprecated now, and may be removed in a later version: %s", reasonOf(is))
	case is == nil:
		c.safe(path, at, "it is not deprecated any more")
	case reasonOf(was) != reasonOf(is):
		c.safe(path, at, "the reason of its deprecation is another one: %s", reasonOf(is))
	}
}

const deprecatedName = "deprecated"

func isDeprecated(d ast.DirectiveList) bool { return d.ForName(deprecatedName) != nil }

func reasonOf(deprecated *ast.Directive) string {
	if reason := deprecated.Arguments.ForName("reason"); reason != nil {
		return reason.Value.Raw
	}
	return "No longer supported" // the default of the specification
}

const restore = `restore it with @deprecated(reason: "..."), and remove it in a later version`
