package auth

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	// fetchTimeout is how long a fetch of a key set may take, or of the document that says where it is.
	fetchTimeout = 5 * time.Second
	// maxDocumentBytes is the size of the largest discovery document that is read: real ones have 2 to 10 KB.
	maxDocumentBytes = 1 << 20
)

// discovered is what an OpenID provider says about itself.
type discovered struct {
	Issuer                string `json:"issuer"`
	JWKSURI               string `json:"jwks_uri"`
	AuthorizationEndpoint string `json:"authorization_endpoint"`
	TokenEndpoint         string `json:"token_endpoint"`
}

// discover returns what the OpenID provider with the name says about itself. Its key set has an address that can be
// trusted.
//
// https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig
func discover(ctx context.Context, client *http.Client, name string) (*discovered, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	url := strings.TrimSuffix(name, "/") + "/.well-known/openid-configuration"
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s; without discovery, write the URL of the key set: %s=URL",
			url, response.Status, name)
	}
	var document discovered
	if err := json.NewDecoder(io.LimitReader(response.Body, maxDocumentBytes)).Decode(&document); err != nil {
		return nil, fmt.Errorf("%s is no discovery document: %w", url, err)
	}
	if document.Issuer != name {
		return nil, fmt.Errorf("%s is that of the issuer %.200q, not of %q", url, document.Issuer, name)
	}
	if err := checkURL(document.JWKSURI); err != nil {
		return nil, fmt.Errorf("%s has no jwks_uri that can be trusted: %w", url, err)
	}
	return &document, nil
}
