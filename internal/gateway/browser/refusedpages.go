package browser

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/partita/partita/internal/gateway/response"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/net/http/httpguts"
	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/gateway/logging"
)

// The log has the same page at most once in refusedInterval, and no more than refusedBurst different ones at once or in
// an interval: anybody can send any Origin.
const (
	refusedInterval = time.Minute
	refusedBurst    = 10
)

// maxLoggedOrigin is the length in bytes of the longest origin, or list of headers, that is logged.
const maxLoggedOrigin = 300

// refusedPages logs which pages of other origins were refused, and the setting that allows them: the browser shows the
// developer of a page less, and the gateway's response nothing.
type refusedPages struct {
	origins Origins
	allowed HeaderNames

	mu     sync.Mutex
	logged *simplelru.LRU[string, time.Time]
	all    *rate.Limiter
}

func newRefusedPages(rules Rules) *refusedPages {
	logged, err := simplelru.NewLRU[string, time.Time](refusedBurst*2, nil)
	if err != nil {
		panic(err) // the size is positive
	}
	return &refusedPages{
		origins: rules.CORSOrigins, allowed: rules.CORSHeaders, logged: logged,
		all: rate.NewLimiter(rate.Every(refusedInterval/refusedBurst), refusedBurst),
	}
}

// origin logs that the origin of a request is not allowed.
func (p *refusedPages) origin(r *http.Request) {
	ctx, origin := r.Context(), r.Header.Get("Origin")
	if origin == "null" && p.isNew(origin) {
		logging.Logger(ctx).WarnContext(ctx, "a page without an origin was refused, such as a local file or a "+
			"sandboxed frame: serve the page by a web server", "origin", origin)
	}
	if checkOrigin(origin) == nil && p.isNew(origin) {
		logging.Logger(ctx).WarnContext(ctx, "a page of another origin was refused: this setting would allow it",
			"origin", origin, "setting", "CORS_ORIGINS="+strings.Join(append(p.origins.written(), origin), ","))
	}
}

// headers logs that a page of an allowed origin may not send further headers.
func (p *refusedPages) headers(r *http.Request, names []string) {
	isNoToken := func(name string) bool { return !httpguts.ValidHeaderFieldName(name) }
	all := strings.Join(slices.Concat(p.allowed, names), ",")
	if !slices.ContainsFunc(names, isNoToken) && p.isNew(all) {
		logging.Logger(r.Context()).WarnContext(r.Context(), "a header of a page of another origin was refused: "+
			"this setting would allow it", "origin", r.Header.Get("Origin"), "setting", "CORS_HEADERS="+all)
	}
}

// isNew reports whether a line is to be logged.
func (p *refusedPages) isNew(what string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	last, known := p.logged.Get(what)
	if len(what) > maxLoggedOrigin || known && now.Sub(last) < refusedInterval || !p.all.AllowN(now, 1) {
		return false
	}
	p.logged.Add(what, now)
	return true
}

// foreignPage returns the error for a page whose origin is not allowed.
func foreignPage() *response.Error {
	return response.Errorf(http.StatusForbidden, response.CodeForbidden,
		"Pages of other origins may not send operations here. The operator allows an origin by CORS_ORIGINS.")
}
