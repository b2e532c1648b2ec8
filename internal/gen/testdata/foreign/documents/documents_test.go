package systems

import (
	"strings"
	"testing"

	"github.com/partita/partita/systems/foreign/documents/graph"
	"github.com/partita/partita/systems/foreign/documents/graph/model"
	"github.com/partita/partita/systems/foreign/documents/resolvers"
	"github.com/partita/partita/systems/foreign/documents/typed"
)

func TestForeignDocuments(t *testing.T) {
	f := startForeign(t, "documents", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
		typed.Design, documentsObject)
	versions := func(document, arguments, from, to string) connection {
		return connection{
			query: "{ document(id: <Document:" + document + ">) { versions(" + arguments + "PAGE) SELECTION } }",
			holds: func(r raw) bool {
				return r.text("PK") == "DOC:"+document && from <= r.text("SK") && r.text("SK") <= to
			},
			sortKey: attribute("SK"), descending: true,
		}
	}
	f.check(t,
		versions("d11", "", "v", "w"), versions("d01", "", "v", "w"), versions("d00", "", "v", "w"),
		versions("d11", "version: {from: 2, to: 9}, ", "v0000002", "v0000009"),
		versions("d11", "version: {from: 10}, ", "v0000010", "w"))
	f.checkWrites(t,
		writes("Document", model.NewDocument, typed.StoredDocument),
		writes("Version", model.NewVersion, typed.StoredVersion))
}

// documentsObject returns the object of a base item.
func documentsObject(r raw) object {
	document := cut(r.text("PK"), "DOC:")
	version, isVersion := strings.CutPrefix(r.text("SK"), "v")
	switch {
	case isVersion:
		version = strings.TrimLeft(version, "0")
		return object{
			"__typename": "Version", "id": id("Version", document, version), "documentId": id("Document", document),
			"version": float(version), "savedAt": epoch(r.number("saved_ms") / 1000), "body": r.text("content"),
		}
	case r.text("SK") == "META":
		return object{"__typename": "Document", "id": id("Document", document), "title": r.text("doc_title")}
	default:
		return nil // LATEST
	}
}
