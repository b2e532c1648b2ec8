package importer

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// libraryNames are names for the fields of attributes that dynamodb-toolbox writes.
var libraryNames = map[string]string{"_ct": "created", "_md": "modified"}

// electroVersion is the attribute of ElectroDB with the version of an entity. It does not find an item that lacks it.
const electroVersion = "__edb_v__"

// isEntity reports whether a text is the name of the items' type and a version, as in task_1 of ElectroDB.
func isEntity(g group, text string) bool {
	i := strings.LastIndex(text, "_")
	return g[0].typ != "" && i >= 0 && strings.EqualFold(text[:i], g[0].typ) && isDigits(text[i+1:])
}

// setLetters sets the case of the texts in a key of ElectroDB, which has all letters of a key in one case, whether or
// not the values that were read have others.
func setLetters(t *layout, g group, texts [][]string, parts template) {
	if !t.isElectro() {
		return
	}
	letters := keys.AsIs
	for _, c := range [...]keys.Case{keys.Upper, keys.Lower} {
		if !slices.ContainsFunc(texts, func(texts []string) bool {
			return slices.ContainsFunc(texts, func(text string) bool { return c.Of(text) != text })
		}) {
			letters = c
		}
	}
	for i, p := range parts {
		if value, _ := g[0].Get(p.Variable); value.Kind == item.String && p.Bucket == 0 && p.Width == 0 {
			parts[i].Case = letters
		}
	}
}

// isCutShort reports whether a key ends before a value, because that is not set: behind a label of ElectroDB, or behind
// a delimiter.
func isCutShort(t *layout, key string) bool {
	return t.isElectro() && strings.HasSuffix(key, "_") || strings.HasSuffix(key, t.Delimiter)
}

// makeOptional makes the values optional that a key lacks because it ends behind a label. It reports whether the label
// is that of the template.
func makeOptional(t *layout, parts template, key string) bool {
	n := strings.Count(key, t.Delimiter)
	last := key[strings.LastIndex(key, t.Delimiter)+len(t.Delimiter):]
	if n >= len(parts) || parts[n].Variable == "" || parts[n].Literal != last {
		return false
	}
	for i := n; i < len(parts); i++ {
		parts[i].Optional = parts[i].Variable != ""
	}
	return true
}
