package document

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
)

// The limits of the cache of persisted queries.
const (
	maxPersisted          = 1024
	maxPersistedBytes     = 4 << 20
	maxPersistedTextBytes = 64 << 10 // a longer text is executed, but not kept
)

// The values of extensions.code for persisted operations are those of Apollo Server and Apollo Router.
const (
	CodePersistedQueryNotFound = "PERSISTED_QUERY_NOT_FOUND"   // the hash is unknown; the client sends the text as well
	CodeNotInList              = "PERSISTED_QUERY_NOT_IN_LIST" // no operation of the manifest has the id
	CodeNotInSafelist          = "QUERY_NOT_IN_SAFELIST"       // no operation of the manifest has the text
)

// A Source has the documents of requests.
type Source interface {
	// load returns a valid document. If the request has only a hash, load sets the query.
	Load(p *Parameters) (*Document, *response.Error)
	// keep is called when a document has new plans.
	Keep(d *Document)
}

// NewSource returns the source of a schema as clients see it. A valid document is compiled once.
func NewSource(
	schema *ast.Schema, compile func(*ast.QueryDocument) *plan.Document, settings Settings, limits Limits,
) Source {
	if settings.Manifest != nil {
		return newManifestSource(settings.Manifest, compile)
	}
	return newPersistedQueries(newDocuments(schema, compile, settings, limits))
}

// readHash returns the hash in extensions.persistedQuery, as Apollo's clients send it, or an empty string without one.
//
// https://www.apollographql.com/docs/apollo-server/performance/apq
func readHash(extensions map[string]any) (hash string, err *response.Error) {
	property := extensions["persistedQuery"]
	if property == nil {
		return "", nil
	}
	persisted, isObject := property.(map[string]any)
	if !isObject {
		return "", response.BadParameter(`The parameter "extensions.persistedQuery" must be a JSON object.`)
	}
	if persisted["version"] != json.Number("1") {
		return "", response.BadParameter(`Version 1 of "extensions.persistedQuery" is served here, and no other.`)
	}
	if hash, _ = persisted["sha256Hash"].(string); hash == "" {
		return "", response.BadParameter(
			`The parameter "extensions.persistedQuery.sha256Hash" must be a string that names the document.`)
	}
	return hash, nil
}

// persistedQueries is the source of a gateway that executes any operation. After the error for an unknown hash, the
// client sends the text with the hash once, and the text is kept. The least recently used texts are dropped; clients
// that still use one send it again.
type persistedQueries struct {
	documents *documents
	texts     *queryTexts
}

func newPersistedQueries(documents *documents) *persistedQueries {
	return &persistedQueries{documents: documents, texts: newQueryTexts(maxPersisted, maxPersistedBytes)}
}

func (q *persistedQueries) Load(p *Parameters) (*Document, *response.Error) {
	if p.hash == "" {
		return q.documents.load(p.Query)
	}
	if !p.hasQuery {
		text, known := q.texts.get(p.hash)
		if !known {
			return nil, unknownHash()
		}
		p.Query = text
		return q.documents.load(text)
	}
	if sum := sha256.Sum256([]byte(p.Query)); p.hash != hex.EncodeToString(sum[:]) {
		return nil, response.Errorf(http.StatusBadRequest, response.CodeBadRequest,
			`The parameter "extensions.persistedQuery.sha256Hash" is not the SHA-256 of "query" `+
				`in lower-case hexadecimal digits.`)
	}
	doc, err := q.documents.load(p.Query)
	if err == nil && len(p.Query) <= maxPersistedTextBytes {
		q.texts.add(p.hash, p.Query)
	}
	return doc, err
}

func (q *persistedQueries) Keep(d *Document) { q.documents.valid.keep(d) }

// unknownHash returns the error that makes a client send the text. Apollo's clients recognise it by its code or its
// message, but some only if the status is 200, because they treat any other as a failure of the network.
func unknownHash() *response.Error {
	err := response.Errorf(http.StatusNotFound, CodePersistedQueryNotFound, "PersistedQueryNotFound")
	err.Lenient = true
	return err
}

// queryTexts is a cache of documents by hash.
type queryTexts struct {
	limit int // bytes of all texts

	mu    sync.Mutex
	lru   *simplelru.LRU[string, string]
	bytes int
}

func newQueryTexts(entries, limit int) *queryTexts {
	t := &queryTexts{limit: limit}
	lru, err := simplelru.NewLRU(entries, func(_, text string) { t.bytes -= len(text) })
	if err != nil {
		panic(err) // entries is not positive
	}
	t.lru = lru
	return t
}

func (t *queryTexts) get(hash string) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lru.Get(hash)
}

func (t *queryTexts) add(hash, text string) {
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
