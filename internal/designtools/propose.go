package designtools

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/designtools/proposal"
)

// proposeInput is the input of propose_keys.
type proposeInput struct {
	schemaInput
	Patterns []proposal.Pattern `json:"patterns,omitempty" jsonschema:"the access patterns. Those of fields that say by their names and arguments what they read are inferred"`
	Types    []proposal.Type    `json:"types,omitempty" jsonschema:"what is known of the objects of types"`
}

func (t *tools) addPropose(server *mcp.Server) {
	add(t, server, proposeTool,
		"Proposes keys for GraphQL types and their access patterns: returns the schema files with directives so that each "+
			"pattern is one GetItem or one Query, with few copies and indexes, and says what patterns and writes cost. "+
			"Directives about keys that the types have are replaced. Names what cannot be served without a Scan, and "+
			"what would help.",
		func(ctx context.Context, in proposeInput) result[proposal.Proposal] {
			files, err := t.read(in.schemaInput)
			if err != nil {
				return result[proposal.Proposal]{err: err}
			}
			p, err := proposal.Propose(ctx, files.sources, in.Patterns, in.Types)
			if err != nil {
				return result[proposal.Proposal]{err: err}
			}
			return result[proposal.Proposal]{data: *p, text: proposed(p)}
		})
}

// proposed returns a proposal for an agent.
func proposed(p *proposal.Proposal) string {
	var b strings.Builder
	for _, name := range sorted(p.Files) {
		fmt.Fprintf(&b, "# %s\n%s\n", name, p.Files[name])
	}
	b.WriteString("Access patterns, with requests and read units at worst:\n")
	for _, s := range p.Patterns {
		inferred := ""
		if s.Inferred {
			inferred = " (inferred)"
		}
		fmt.Fprintf(&b, "  %s%s: %s: %s: %s, %g read units\n", s.Field, inferred, s.Request, s.KeyCondition,
			counted(s.Requests, "request"), s.ReadUnits)
	}
	b.WriteString("Types, with write units at worst:\n")
	for _, s := range p.Types {
		fmt.Fprintf(&b, "  %s: %s, %d in indexes; create %d, update %d, delete %d\n", s.Name, counted(s.Items, "item"),
			s.Entries, s.CreateUnits, s.UpdateUnits, s.DeleteUnits)
		for _, k := range s.Keys {
			fmt.Fprintf(&b, "    %s\n", k)
		}
	}
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	for _, u := range p.Unserved {
		fmt.Fprintf(&b, "not served: %s: %s\n    %s\n", u.Field, u.Reason, strings.ReplaceAll(u.Help, "\n", "\n    "))
	}
	b.WriteString("The files have no findings. Nothing was written.\n")
	return b.String()
}
