package folder

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
)

// Unserved returns findings for the fields with @cost that have no directive from which they could be served. They are
// served as an error, beside all others.
func (f *Folder) Unserved() directives.Findings {
	findings := fieldsNeedingGo(f.Schema, true)
	for i := range findings {
		findings[i].What += ": it is served as an error"
		findings[i].Fix = "make a service of the folder by `partita generate`, or " + findings[i].Fix
	}
	return findings
}

// needingGo returns findings for fields that have no directive from which they could be served, as in
// directives.Schema.Unread, and for rules that ask Go code. A field with @cost is not among them.
func needingGo(s *directives.Schema) directives.Findings {
	findings := fieldsNeedingGo(s, false)
	for i := range findings {
		findings[i].Fix += "; with @cost it is served as an error"
	}
	for _, t := range s.Types {
		def := s.TypeDef(t.Name)
		if t.Rule != nil && len(t.Rule.Go) > 0 {
			at := def.Directives.ForName("allow").Position
			findings = append(findings, directives.Finding{
				File: at.Src.Name, Line: at.Line, Column: at.Column, Coordinate: def.Name,
				What: "the rule asks Go code, and a folder has none",
				Fix:  "remove go from @allow, and its words: a service may have them, which `partita generate` makes of a folder",
			})
		}
	}
	return findings
}

// fieldsNeedingGo returns findings for such fields, with @cost or without.
func fieldsNeedingGo(s *directives.Schema, withCost bool) directives.Findings {
	var findings directives.Findings
	isWanted := func(def *ast.Definition, f *ast.FieldDefinition) bool {
		return hasCost(f) == withCost && !isUnread(s, def, f)
	}
	for _, root := range []*ast.Definition{s.AST.Query, s.AST.Mutation} {
		if root == nil {
			continue
		}
		for _, f := range root.Fields {
			served := s.Field(root.Name, f.Name) != nil || root == s.AST.Mutation && s.Mutation(f.Name) != nil
			if !strings.HasPrefix(f.Name, "__") && !served && isWanted(root, f) {
				findings = append(findings, needsGo(root, f, rootFix(s, root)))
			}
		}
	}
	for _, t := range s.Types {
		def := s.TypeDef(t.Name)
		for _, f := range def.Fields {
			isAttribute := len(f.Arguments) == 0 && !withCost
			if !isAttribute && s.Field(t.Name, f.Name) == nil && isWanted(def, f) {
				const fix = "remove its arguments, so that it is an attribute, or remove the field"
				findings = append(findings, needsGo(def, f, fix))
			}
		}
	}
	return findings
}

func hasCost(f *ast.FieldDefinition) bool { return f.Directives.ForName("cost") != nil }

// isUnread reports whether there is a finding for the field already.
func isUnread(s *directives.Schema, def *ast.Definition, f *ast.FieldDefinition) bool {
	for _, finding := range s.Unread {
		if finding.Coordinate == def.Name+"."+f.Name {
			return true
		}
	}
	return false
}

func rootFix(s *directives.Schema, root *ast.Definition) string {
	if root == s.AST.Query {
		return "return a stored type and add @get or @query, or remove the field"
	}
	return "add @mutable to the type that it changes, or remove the field"
}

func needsGo(def *ast.Definition, f *ast.FieldDefinition, fix string) directives.Finding {
	return directives.Finding{
		File: f.Position.Src.Name, Line: f.Position.Line, Column: f.Position.Column,
		Coordinate: def.Name + "." + f.Name, What: "the field has no directive, and a folder has no code in Go", Fix: fix,
	}
}
