package browser

import (
	"net/http"
	"strconv"
	"time"
)

// contentPolicy is the Content-Security-Policy of all responses but the page, which has its own. If a browser shows a
// response as a document, the document can load, run and send nothing, and cannot be framed.
const contentPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// SecureHeaders returns the headers of all responses, from the list of OWASP's Secure Headers Project, and
// Strict-Transport-Security (RFC 6797) if hsts is not zero. They do not prevent the use from other origins by CORS:
// Cross-Origin-Resource-Policy applies to what pages include without CORS.
//
// https://owasp.org/www-project-secure-headers/
//
// The values are shared by all responses: Set and Add replace them, and do not change them.
func SecureHeaders(hsts time.Duration) http.Header {
	header := http.Header{
		"Content-Security-Policy":      {contentPolicy},
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Permissions-Policy":           {"camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"},
		"Referrer-Policy":              {"no-referrer"},
		"X-Content-Type-Options":       {"nosniff"},
		"X-Frame-Options":              {"DENY"},
	}
	if hsts > 0 {
		header.Set("Strict-Transport-Security", "max-age="+strconv.FormatInt(int64(hsts/time.Second), 10))
	}
	return header
}
