package exampletest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// CheckReadme compares the tables in the README with the access patterns of the schema and with what the operations
// have cost. The flag -rewrite of package datadriven writes them.
func (e *Example) CheckReadme(t *testing.T, rows []Row) {
	t.Helper()
	path := filepath.Join(e.Dir, "README.md")
	before := read(t, path)
	after := before
	tables := map[string]string{"## Access patterns": e.patterns(t, "## Reads"), "## Operations": operationsTable(rows)}
	if len(e.Schema.Mutations) > 0 {
		tables["## Mutations"] = e.patterns(t, "## Mutations")
	}
	for heading, table := range tables {
		var err error
		if after, err = withTable(after, heading, table); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	if after == before {
		return
	}
	if flag.Lookup("rewrite").Value.String() != "true" {
		t.Errorf("the tables in %s are outdated: run go test ./examples -rewrite", path)
	} else if err := os.WriteFile(path, []byte(after), 0o600); err != nil {
		t.Fatal(err)
	}
}

// patterns returns the table below a heading in the list of access patterns.
func (e *Example) patterns(t *testing.T, heading string) string {
	t.Helper()
	_, rest, found := strings.Cut(string(e.Schema.AccessPatterns()), heading+"\n")
	_, rest, hasTable := strings.Cut(rest, "\n|")
	table, _, _ := strings.Cut(rest, "\n\n")
	if !found || !hasTable {
		t.Fatalf("the list of access patterns has no table below %s", heading)
	}
	return "|" + strings.TrimSuffix(table, "\n") + "\n"
}

// operationsTable returns the table of operations.
func operationsTable(rows []Row) string {
	var b strings.Builder
	b.WriteString("| Operation | Does | Requests | Read units | at most | Write units |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- |\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %v | %v | %v |\n", r.Name, strings.TrimSuffix(r.About, "."),
			kinds(r.Requests), r.Cost.ReadUnits, r.Cost.EstimatedReadUnits, r.Cost.WriteUnits)
	}
	return b.String()
}

// kinds returns how many requests there are of each kind.
func kinds(requests []string) string {
	count := map[string]int{}
	var order []string
	for _, r := range requests {
		kind, _, _ := strings.Cut(r, " ")
		if count[kind]++; count[kind] == 1 {
			order = append(order, kind)
		}
	}
	if len(order) == 0 {
		return "none"
	}
	slices.Sort(order)
	for i, kind := range order {
		if count[kind] > 1 {
			order[i] = fmt.Sprintf("%d %s", count[kind], kind)
		}
	}
	return strings.Join(order, ", ")
}

// withTable returns a text with another table below a heading.
func withTable(text, heading, table string) (string, error) {
	before, section, found := strings.Cut(text, heading+"\n")
	start := strings.Index(section, "\n|")
	if !found || start < 0 {
		return "", fmt.Errorf("no table below %q", heading)
	}
	end := start + 1
	for line := range strings.Lines(section[end:]) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		end += len(line)
	}
	return before + heading + "\n" + section[:start+1] + table + section[end:], nil
}

// MeasuredCost returns what an operation has cost, from the README of its example in a folder: the cells of requests,
// read units and write units.
func MeasuredCost(dir, operation string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) == 6 && cells[0] == "| `"+operation+"`" {
			return strings.Join([]string{cells[2], cells[3], strings.TrimSuffix(cells[5], " |")}, " | "), nil
		}
	}
	return "", fmt.Errorf("%s has no operation %s", dir, operation)
}
