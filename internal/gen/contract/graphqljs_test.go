package contract_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/contract"
)

// TestGraphQLJS compares the changes of random pairs of schemas with those that GraphQL.js finds. All of its changes
// are found at the same place and level, except where this package has a reason for another level; and there are no
// others but those for which GraphQL.js has no rule.
func TestGraphQLJS(t *testing.T) {
	const pairs = 100
	seed := rand.Uint64()
	g := sdlGenerator{rand.New(rand.NewPCG(seed, 0))}
	schemas := make([][2]string, pairs)
	for i := range schemas {
		schemas[i] = [2]string{g.schema(), g.schema()}
	}
	found := 0
	for i, theirs := range graphQLJS(t, schemas) {
		base, head := parsed(t, schemas[i][0]), parsed(t, schemas[i][1])
		ours := map[string]map[contract.Level]string{}
		for _, c := range contract.Compare(base, head) {
			if ours[c.Path] == nil {
				ours[c.Path] = map[contract.Level]string{}
			}
			ours[c.Path][c.Level] += c.What
		}
		known := map[string]map[contract.Level]bool{}
		for _, change := range theirs {
			level, path := contract.Level(change[0]), change[1]
			if known[path] == nil {
				known[path] = map[contract.Level]bool{}
			}
			known[path][level] = true
			found++
			if ours[path][level] == "" && !isOtherLevel(ours[path], level) {
				t.Errorf("seed %d: GraphQL.js finds %s %s, not %v, in\n%s\n====\n%s", seed, level, path, ours[path],
					schemas[i][0], schemas[i][1])
			}
		}
		for path, levels := range ours {
			for level, what := range levels {
				if level != contract.Safe && !known[path][level] && !hasNoRule(path, what) {
					t.Errorf("seed %d: GraphQL.js does not find %s %s (%s) in\n%s\n====\n%s", seed, level, path, what,
						schemas[i][0], schemas[i][1])
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	if found < 10*pairs {
		t.Errorf("only %d changes were compared", found)
	}
}

// isOtherLevel reports whether a change has another level on purpose: a default value without which an argument is
// required, and a directive that no operation can contain.
func isOtherLevel(ours map[contract.Level]string, theirs contract.Level) bool {
	if theirs == contract.Dangerous {
		return strings.Contains(ours[contract.Breaking], "the default value has been removed")
	}
	return strings.Contains(ours[contract.Dangerous], "the directive has been removed")
}

// hasNoRule reports whether GraphQL.js has no rule, or one for another level, for a change: new default values and
// those of input fields, and the types and default values of a directive's arguments.
func hasNoRule(path, what string) bool {
	return strings.Contains(what, "default value") || strings.HasPrefix(path, "@")
}

func parsed(t *testing.T, text string) contract.Version {
	t.Helper()
	v, err := contract.LoadFile(&ast.Source{Name: "random.graphqls", Input: text})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return v
}

// graphQLJS returns the changes that GraphQL.js finds in each of the pairs: level and coordinate.
func graphQLJS(t *testing.T, pairs [][2]string) [][][2]string {
	t.Helper()
	root, err := filepath.Abs("../../../package.json")
	fatal.If(t, err)
	input, err := json.Marshal(pairs)
	fatal.If(t, err)
	command := exec.CommandContext(t.Context(), "node", "testdata/graphqljs.mjs", root)
	command.Stdin = bytes.NewReader(input)
	var faults bytes.Buffer
	command.Stderr = &faults
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &faults)
	}
	var changes [][][2]string
	fatal.If(t, json.Unmarshal(output, &changes))
	return changes
}
