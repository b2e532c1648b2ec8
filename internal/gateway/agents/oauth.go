package agents

import (
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/partita/partita/internal/gateway/response"
)

// Metadata answers requests to MetadataPath. Without an identity provider there is an error.
//
// https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
func (s *Service) Metadata() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(s.Issuers) == 0 {
			response.WriteError(w, r, response.Errorf(http.StatusNotFound, response.CodeBadRequest,
				"No identity provider issues tokens for this gateway. Ask its operator for one, or send none."))
			return
		}
		auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
			Resource: baseOf(r) + Path, AuthorizationServers: s.Issuers, BearerMethodsSupported: []string{"header"},
			ResourceName: s.Name,
		}).ServeHTTP(w, r)
	})
}

// challenge adds to an error for a caller without a valid token where tokens are issued.
func (s *Service) challenge(r *http.Request, err *response.Error) *response.Error {
	if err.Status == http.StatusUnauthorized && len(s.Issuers) > 0 {
		separator := ", "
		if err.Challenge == "" {
			err.Challenge, separator = "Bearer", " "
		}
		err.Challenge += fmt.Sprintf("%sresource_metadata=%q", separator, baseOf(r)+MetadataPath+Path)
	}
	return err
}

// baseOf returns the address of the gateway as the client has it. A proxy in front of the gateway has TLS; a client
// that sends its header by itself sees its own words.
func baseOf(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}
