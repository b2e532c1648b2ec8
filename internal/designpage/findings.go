package designpage

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/internal/gen/directives"
)

// Finding is something to look at again, in a schema that is served all the same, or what is wrong with one that cannot
// be.
type Finding struct {
	// Where is the name of what it is about, with the ID of its place on the page; "" for none.
	Where Link
	// At is its place in the files, as findings begin with it; "" if the schema is not that of files.
	At string
	// What is wrong, and how to Fix it, as Markdown.
	What, Fix string
}

func findingsFrom(found directives.Findings) []Finding {
	all := make([]Finding, len(found))
	for i, f := range found {
		all[i] = Finding{
			Where: Link{Text: f.Coordinate}, At: placeOf(f.File, f.Line, f.Column), What: f.What, Fix: f.Fix,
		}
	}
	return all
}

// forgetPlaces removes the places of findings, in place.
func forgetPlaces(all []Finding) {
	for i := range all {
		all[i].At = ""
	}
}

// placeOf returns a place in a file. The page may be read by people who should not know the path of its folder.
func placeOf(file string, line, column int) string {
	return fmt.Sprintf("%s:%d:%d", filepath.Base(file), line, column)
}

// positionText is placeOf for a position, which may be nil.
func positionText(at *ast.Position) string {
	if at == nil || at.Src == nil {
		return ""
	}
	return placeOf(at.Src.Name, at.Line, at.Column)
}

// findingsOf returns what the keys of a schema show.
func findingsOf(s *directives.Schema) []Finding {
	var all []Finding
	for _, t := range s.Types {
		for _, k := range kindsOf(t) {
			for _, f := range []Finding{unread(s, k), hot(k)} {
				if f.What != "" {
					f.Where, f.At = Link{k.id(), k.String()}, positionText(k.position(s))
					all = append(all, f)
				}
			}
		}
	}
	return append(all, unreadIndexes(s)...)
}

// unread returns what to say of a copy or an entry that no field reads, and that is written for itself.
func unread(s *directives.Schema, k kind) Finding {
	isBase := k.index == "" && k.place == 0
	isForEntry := func(entry kind) bool { // The copy is there for its entry.
		return entry.index != "" && entry.place == k.place && isRead(s, entry)
	}
	if isBase || isRead(s, k) || isFree(s, k) || k.index == "" && slices.ContainsFunc(kindsOf(k.of), isForEntry) {
		return Finding{}
	}
	units := capacity.Write(k.of.MaxBytes)
	if k.index == "" {
		units *= 2
	}
	return Finding{
		What: fmt.Sprintf("No field reads it, and each new object pays %d write units for it.", units),
		Fix:  fmt.Sprintf("Remove the `@%s`, or declare the field that needs it.", k.directive()),
	}
}

// isFree reports whether nothing is written for an entry: the keys of its index are fields, the type, or
// those of the table.
func isFree(s *directives.Schema, k kind) bool {
	if k.index == "" {
		return false
	}
	ix := s.Layout.Index(k.index)
	return !slices.ContainsFunc(slices.Concat(ix.PK.Names(), ix.SK.Names()), func(name string) bool {
		return isIndexKey(s, name) && !s.Layout.IsKey(name) && name != s.Layout.Type
	})
}

func isRead(s *directives.Schema, k kind) bool { return len(readersOf(s, k)) > 0 || isReadByRule(s, k) }

// hot returns what to say of a kind that has few partitions for any number of items: its partition key has nothing but
// literals and variables with few values.
func hot(k kind) Finding {
	if k.shards > 1 || len(k.shape.SK.Variables()) == 0 || !directives.HasFewPartitions(k.of, k.shape.PK) {
		return Finding{}
	}
	return Finding{
		What: fmt.Sprintf("The partition key `%s` has few values, and all objects share their partitions. A partition takes "+
			"at most 1,000 write units and 3,000 read units per second.", k.shape.PK),
		Fix: "Write `shards` if there may be more.",
	}
}

// unreadIndexes returns what to say of indexes of a table that no field reads, and for which no entry is written.
func unreadIndexes(s *directives.Schema) []Finding {
	var all []Finding
	names := s.IndexNames()
	for _, ix := range s.Layout.Indexes {
		names = append(names, ix.Name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if isNeeded(s, name) {
			continue
		}
		f := Finding{
			Where: Link{"picture-" + name, "Index " + name}, At: positionText(tablePosition(s)),
			What: "No field reads it, and DynamoDB charges for its entries.",
			Fix:  "Remove it from `@table(indexes:)` and from the table, unless another program reads it.",
		}
		if !slices.Contains(s.IndexNames(), name) {
			f.Where.ID = "" // It is not drawn: no type has entries.
		}
		all = append(all, f)
	}
	return all
}

// isNeeded reports whether a field reads an index, or there is another finding about its entries.
func isNeeded(s *directives.Schema, index string) bool {
	for _, t := range s.Types {
		for _, k := range kindsOf(t) {
			if k.index == index && (isRead(s, k) || !isFree(s, k)) {
				return true
			}
		}
	}
	return false
}

// tablePosition returns that of @table, or nil.
func tablePosition(s *directives.Schema) *ast.Position {
	if d := s.AST.SchemaDirectives.ForName("table"); d != nil {
		return d.Position
	}
	return nil
}
