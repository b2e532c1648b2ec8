package auth

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

// claimOf returns a claim by its name. A name with dots is also the path of a claim within objects, such as
// realm_access.roles; the name of each may have dots itself.
func claimOf(claims map[string]any, name string) (any, bool) {
	if claim, has := claims[name]; has {
		return claim, true
	}
	for at := range len(name) {
		if name[at] != '.' {
			continue
		}
		if within, isObject := claims[name[:at]].(map[string]any); isObject {
			if claim, has := claimOf(within, name[at+1:]); has {
				return claim, true
			}
		}
	}
	return nil, false
}

// checkIssuer returns an error for a token that none of the issuers of the settings has issued. Any is trusted if there
// are none.
func checkIssuer(claims jwt.MapClaims, issuers []string) error {
	name, err := claims.GetIssuer()
	isTrusted := func(text string) bool {
		issuer, _ := issuerOf(text)
		return issuer == name
	}
	switch {
	case err != nil || len(issuers) == 0 || slices.ContainsFunc(issuers, isTrusted):
		return err
	case name == "":
		return fmt.Errorf("the claim iss is missing: %w", jwt.ErrTokenRequiredClaimMissing)
	}
	return fmt.Errorf("iss is %.200q: %w", name, jwt.ErrTokenInvalidIssuer)
}

// checkAudience returns an error for a token that is for none of the audiences, if there are any. A token without the
// claim aud is for the application that its provider names as client_id, as Amazon Cognito does in access tokens, or as
// azp: https://openid.net/specs/openid-connect-core-1_0.html#IDToken
func checkAudience(claims jwt.MapClaims, audiences []string) error {
	given, err := claims.GetAudience()
	if err != nil || len(audiences) == 0 {
		return err
	}
	if len(given) == 0 {
		client, _ := claims["client_id"].(string)
		party, _ := claims["azp"].(string)
		if client = cmp.Or(client, party); client == "" {
			return fmt.Errorf("the claims aud, client_id and azp are missing: %w", jwt.ErrTokenRequiredClaimMissing)
		}
		given = jwt.ClaimStrings{client}
	}
	isOwn := func(audience string) bool { return slices.Contains(audiences, audience) }
	if !slices.ContainsFunc(given, isOwn) {
		return fmt.Errorf("the audience is %.200q: %w", given, jwt.ErrTokenInvalidAudience)
	}
	return nil
}

// names returns the names in a claim: an array, or a text with spaces between them.
func names(claim any) (names []string, ok bool) {
	switch claim := claim.(type) {
	case nil:
		return nil, true
	case string:
		return strings.Fields(claim), true
	case []any:
		for _, element := range claim {
			name, ok := element.(string)
			if !ok {
				return nil, false
			}
			names = append(names, name)
		}
		return names, true
	}
	return nil, false
}
