package gateway

import (
	"fmt"
	"net/http"

	"github.com/klauspost/compress/gzhttp"
)

const (
	// minCompressed is the length from which answers are compressed, in bytes: what is shorter fits one packet as it is.
	minCompressed = 1400
	// maxPadding is how many bytes of padding hide the exact length of a compressed answer, which BREACH measures. The attack also needs a
	// victim's browser that sends the victim's credentials along with chosen queries; forgeryCheck, and tokens in place of cookies,
	// keep it from that.
	maxPadding = 32
)

// compress answers in zstd or gzip if Accept-Encoding takes either.
func compress(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(minCompressed), gzhttp.RandomJitter(maxPadding, 0, false))
	if err != nil {
		panic(fmt.Errorf("gateway: compression: %w", err)) // the options above are constant
	}
	return wrap(next)
}
