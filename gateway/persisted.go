package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/vektah/gqlparser/v2/ast"
)

// The cache of persisted queries is bounded in number and in bytes of text.
const (
	persistedQueries   = 1024
	persistedBytes     = 4 << 20
	persistedTextBytes = 64 << 10 // the longest text; a longer one is executed, and sent again with each request
)

// The values of extensions.code for persisted operations, as Apollo Server and Apollo Router have them.
const (
	codePersistedQueryNotFound = "PERSISTED_QUERY_NOT_FOUND"   // the hash of no text that is known: send it along
	codeNotInList              = "PERSISTED_QUERY_NOT_IN_LIST" // the id of no operation in the manifest
	codeNotInSafelist          = "QUERY_NOT_IN_SAFELIST"       // the text of no operation in the manifest
)

// A source gives the documents that requests ask for. It sets the parameters' query if the request names it by a hash only.
type source interface {
	load(p *parameters) (*ast.QueryDocument, *refusal)
}

// readHash reads the hash by which a request names its document, or an empty string: extensions.persistedQuery as Apollo's clients send it
// (https://www.apollographql.com/docs/apollo-server/performance/apq).
func readHash(extensions map[string]any) (hash string, no *refusal) {
	property := extensions["persistedQuery"]
	if property == nil {
		return "", nil
	}
	persisted, isObject := property.(map[string]any)
	if !isObject {
		return "", refuseParameter(`The parameter "extensions.persistedQuery" must be a JSON object.`)
	}
	if persisted["version"] != json.Number("1") {
		return "", refuseParameter(`Version 1 of "extensions.persistedQuery" is served here, and no other.`)
	}
	if hash, _ = persisted["sha256Hash"].(string); hash == "" {
		return "", refuseParameter(`The parameter "extensions.persistedQuery.sha256Hash" must be a string that names the document.`)
	}
	return hash, nil
}

// automatic is the source of a gateway that takes every operation: a hash that it does not know makes the client send the text along
// once, which it then keeps. Callers may fill it with what they like; a text that has to go is sent again by whoever still uses it.
type automatic struct {
	documents *documents
	texts     *texts
}

func newAutomatic(documents *documents) *automatic {
	return &automatic{documents: documents, texts: newTexts(persistedQueries, persistedBytes)}
}

func (a *automatic) load(p *parameters) (*ast.QueryDocument, *refusal) {
	if p.hash == "" {
		return a.documents.load(p.query)
	}
	if !p.hasQuery {
		text, known := a.texts.get(p.hash)
		if !known {
			return nil, refuseUnknownHash()
		}
		p.query = text
		return a.documents.load(text)
	}
	if sum := sha256.Sum256([]byte(p.query)); p.hash != hex.EncodeToString(sum[:]) {
		return nil, refuse(http.StatusBadRequest, codeBadRequest,
			`The parameter "extensions.persistedQuery.sha256Hash" is not the SHA-256 of "query" in lower-case hexadecimal digits.`)
	}
	doc, no := a.documents.load(p.query)
	if no == nil && len(p.query) <= persistedTextBytes {
		a.texts.add(p.hash, p.query)
	}
	return doc, no
}

// refuseUnknownHash asks for the text. Apollo's clients know the answer by its code or its message, and some of them only
// with status 200, for they take any other for a failure of the network.
func refuseUnknownHash() *refusal {
	no := refuse(http.StatusNotFound, codePersistedQueryNotFound, "PersistedQueryNotFound")
	no.lenient = true
	return no
}

// texts remembers documents by their hashes.
type texts struct {
	limit int // bytes of all texts

	mu    sync.Mutex
	lru   *simplelru.LRU[string, string]
	bytes int
}

func newTexts(entries, limit int) *texts {
	t := &texts{limit: limit}
	lru, err := simplelru.NewLRU(entries, func(_, text string) { t.bytes -= len(text) })
	if err != nil {
		panic(err) // entries is not positive
	}
	t.lru = lru
	return t
}

func (t *texts) get(hash string) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lru.Get(hash)
}

func (t *texts) add(hash, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.lru.Get(hash); known {
		return
	}
	t.bytes += len(text)
	t.lru.Add(hash, text)
	for t.bytes > t.limit {
		t.lru.RemoveOldest()
	}
}
