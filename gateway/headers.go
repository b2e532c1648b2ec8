package gateway

import (
	"net/http"
	"strconv"
	"time"
)

// contentPolicy is the Content-Security-Policy of every answer but the page, which has one of its own: should a browser ever take
// an answer for a document, that may load, run and send nothing, and stands in no frame.
const contentPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// secureHeaders are those of every answer, after the list of OWASP's Secure Headers Project
// (https://owasp.org/www-project-secure-headers/). Answers to other origins are CORS's business: Cross-Origin-Resource-Policy is for
// what pages include without it.
var secureHeaders = map[string]string{
	"Content-Security-Policy":      contentPolicy,
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
}

// setSecureHeaders sets the headers that every answer carries, and Strict-Transport-Security if hsts is not zero (RFC 6797).
func setSecureHeaders(header http.Header, hsts time.Duration) {
	for name, value := range secureHeaders {
		header.Set(name, value)
	}
	if hsts > 0 {
		header.Set("Strict-Transport-Security", "max-age="+strconv.FormatInt(int64(hsts/time.Second), 10))
	}
}
