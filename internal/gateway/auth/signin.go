package auth

import (
	"cmp"
	"context"

	"github.com/partita/partita/exit"
)

// SignIn is what a page has to know to sign somebody in by the authorization code flow.
//
// https://openid.net/specs/openid-connect-core-1_0.html#CodeFlowAuth
type SignIn struct {
	Issuer                string
	AuthorizationEndpoint string
	TokenEndpoint         string
	// Audience is the first of those whose tokens are trusted. Some providers want to know it before they sign a token for
	// an API.
	Audience string
}

// SignIn returns where the first identity provider of the settings signs people in. It is false for one that is not
// known yet, or has no such endpoints at addresses that can be trusted.
func (a *Authenticator) SignIn(ctx context.Context) (SignIn, bool) {
	first := a.firstProvider()
	if first == nil {
		return SignIn{}, false
	}
	_, _ = first.fetched(ctx) // an error is in the log, and of each token
	first.mu.Lock()
	p := first.provider
	first.mu.Unlock()
	if p == nil || cmp.Or(checkURL(p.AuthorizationEndpoint), checkURL(p.TokenEndpoint)) != nil {
		return SignIn{}, false
	}
	return SignIn{p.Issuer, p.AuthorizationEndpoint, p.TokenEndpoint, a.settings.Audiences[0]}, true
}

// CheckSignIn returns an *exit.Error if no identity provider of the settings can sign people in.
func (a *Authenticator) CheckSignIn() error {
	if a.firstProvider() != nil {
		return nil
	}
	return &exit.Error{
		Problem: "the playground has the id of a client, but there is no identity provider that it is a client of",
		Fix:     "set JWT_ISSUER to the provider's issuer, without the URL of a key set, or leave PLAYGROUND_CLIENT_ID out",
		Code:    exit.Config,
	}
}

// firstProvider returns the first issuer of the settings that is found by discovery; nil if there is none.
func (a *Authenticator) firstProvider() *issuer {
	for _, text := range a.settings.Issuers {
		if name, keySet := issuerOf(text); keySet == "" {
			return a.issuers[name]
		}
	}
	return nil
}

// Issuers returns the names of the identity providers of the settings; none with a secret.
func (a *Authenticator) Issuers() []string {
	if a.issuers == nil {
		return nil
	}
	var names []string
	for _, text := range a.settings.Issuers {
		name, _ := issuerOf(text)
		names = append(names, name)
	}
	return names
}
