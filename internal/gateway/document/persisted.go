package document

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/partita/partita/internal/gateway/response"
)

// The limits of the cache of persisted queries.
const (
	maxPersisted          = 1024
	maxPersistedBytes     = 4 << 20
	maxPersistedTextBytes = 64 << 10 // a longer text is executed, but not kept
)

// CodePersistedQueryNotFound is the value of extensions.code, as of Apollo Server, if the hash is unknown. The client
// then sends the text as well.
const CodePersistedQueryNotFound = "PERSISTED_QUERY_NOT_FOUND"

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
