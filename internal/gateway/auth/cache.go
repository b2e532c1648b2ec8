package auth

import (
	"context"
	"crypto/sha256"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/golang-jwt/jwt/v5"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/partita/partita/viewer"
)

// The cache of verified tokens is limited in number and, because it contains no large ones, in bytes.
const (
	cachedTokens     = 4096
	cachedTokenBytes = 4 << 10
	cachedRoles      = 32
)

// verified is a cache of the viewers of trusted tokens. It saves the check of the signature, not that of the times.
// Tokens that are not trusted are not in it: anyone can make any number of them, and would replace the others.
//
// The keys are hashes, so that the memory of the process has no tokens that could be used again.
type verified struct {
	skew    time.Duration
	keys    *changes // nil with a secret
	viewers *lru.Cache[[sha256.Size]byte, verifiedViewer]
}

type verifiedViewer struct {
	viewer.Viewer
	from    time.Time
	version uint64 // of the keys
}

func newVerified(skew time.Duration, keys *changes) *verified {
	viewers, err := lru.New[[sha256.Size]byte, verifiedViewer](cachedTokens)
	if err != nil {
		panic(err) // the size above is not positive
	}
	return &verified{skew: skew, keys: keys, viewers: viewers}
}

func hashOf(token string) [sha256.Size]byte {
	var array [1 << 10]byte // on the stack
	return sha256.Sum256(append(array[:0], token...))
}

// get returns the viewer of a token that is trusted at present.
func (v *verified) get(hash [sha256.Size]byte) (viewer.Viewer, bool) {
	found, known := v.viewers.Get(hash)
	if !known {
		return viewer.Viewer{}, false
	}
	now := time.Now()
	if found.version != v.keys.version() || now.Before(found.from) || !now.Before(found.Until) {
		v.viewers.Remove(hash)
		return viewer.Viewer{}, false
	}
	return found.Viewer, true
}

// add adds the viewer of a token that has been verified with the keys of a version. If the keys have been replaced
// since then, get does not return the viewer.
func (v *verified) add(hash [sha256.Size]byte, token *jwt.Token, of viewer.Viewer, version uint64) {
	if len(token.Raw) > cachedTokenBytes || len(of.Roles) > cachedRoles {
		return
	}
	of.Roles = slices.Clip(of.Roles) // shared by requests
	entry := verifiedViewer{Viewer: of, version: version}
	for _, begin := range []func() (*jwt.NumericDate, error){token.Claims.GetNotBefore, token.Claims.GetIssuedAt} {
		if at, err := begin(); err == nil && at != nil && at.Add(-v.skew).After(entry.from) {
			entry.from = at.Add(-v.skew)
		}
	}
	v.viewers.Add(hash, entry)
}

// changes counts the fetches of published keys. Each fetch has a new version, which ends the trust in what was verified
// before: a key may have been revoked.
type changes struct {
	fetched atomic.Uint64

	mu      sync.Mutex
	waiting map[*func()]bool // functions to call after the next fetch, and after each later one
}

// keySet are the published keys of one issuer.
type keySet struct {
	jwkset.Storage
	*changes
}

// KeyReplaceAll implements jwkset.Storage.
func (s *keySet) KeyReplaceAll(ctx context.Context, keys []jwkset.JWK) error {
	defer s.replaced() // afterwards, so that no version has the keys of the one before
	return s.Storage.KeyReplaceAll(ctx, keys)
}

// replaced ends the trust in what was verified before. The functions are not called by the goroutine that fetches,
// which some of them may wait for.
func (s *changes) replaced() {
	s.fetched.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		return
	}
	functions := slices.Collect(maps.Keys(s.waiting))
	go func() {
		for _, f := range functions {
			(*f)()
		}
	}()
}

// onReplaced calls a function after each fetch, until stop is called.
func (s *changes) onReplaced(f func()) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == nil {
		s.waiting = map[*func()]bool{}
	}
	s.waiting[&f] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.waiting, &f)
	}
}

// version returns the version of the keys; a secret has only one.
func (s *changes) version() uint64 {
	if s == nil {
		return 0
	}
	return s.fetched.Load()
}
