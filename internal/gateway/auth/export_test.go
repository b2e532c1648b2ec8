package auth

import "net/http"

// WithClient returns the settings with a client that fetches keys.
func (s Settings) WithClient(c *http.Client) Settings {
	s.client = c
	return s
}
