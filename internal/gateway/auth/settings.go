package auth

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/defaults"
)

// demoSecret signs tokens for the demo data of the local engine if no other key is set. It is public, so that it must
// not be used with any other table.
const demoSecret = "partita demo secret: everybody knows it, for the local engine alone"

// MinSecretBytes is the minimum length of a shared secret: that of the output of HS256's hash (RFC 7518, section 3.2).
const MinSecretBytes = 32

// Settings define which tokens are trusted. The tags are for kong: a command embeds the struct.
type Settings struct {
	Secret string `name:"jwt-secret" env:"JWT_SECRET" help:"Secret that tokens are signed with (HS256), at least 32 bytes. Set it in the environment: other users of the machine can see flags."`

	Issuers   []string `name:"jwt-issuer" env:"JWT_ISSUER" help:"Values of the claim iss that are trusted, with commas between them. Without a secret they are identity providers, whose keys (RS256, ES256, EdDSA) are found by OpenID Connect Discovery, or at the URL of a JSON Web Key Set behind the issuer: ISSUER=URL."`
	Audiences []string `name:"jwt-audience" env:"JWT_AUDIENCE" help:"Values of which the claim aud must contain one, or client_id or azp be one in a token without aud. Must be set with an identity provider."`

	SubjectClaim string            `name:"jwt-subject-claim" env:"JWT_SUBJECT_CLAIM" default:"sub" help:"The claim with the viewer's id, as ids are stored in the table."`
	RolesClaim   string            `name:"jwt-roles-claim" env:"JWT_ROLES_CLAIM" default:"roles" help:"The claim with the viewer's roles: an array, or names separated by spaces. One within an object is named by its path, such as realm_access.roles."`
	Roles        map[string]string `name:"jwt-roles" env:"JWT_ROLES" mapsep:"," placeholder:"ROLE=NAME,..." help:"What roles in tokens are called in the schema, such as admin=ADMIN. Others keep their names."`

	// ClockSkew is the largest accepted difference between the clocks of the gateway and the issuer of a token.
	ClockSkew time.Duration `kong:"-"`
	// TenantClaim is the claim with the viewer's tenant; "" without tenants. A token without it is not trusted.
	TenantClaim string `kong:"-"`
	// CheckTenant returns an error for what cannot be a tenant: the method CheckTenant of the table's stored.Layout. If it
	// is nil, it is that of the default layout.
	CheckTenant func(tenant string) error `kong:"-"`

	client *http.Client // that fetches keys; nil for http.DefaultClient
}

// ForDemo returns the settings for the local engine, which have demoSecret if there is no other key.
func (s Settings) ForDemo() Settings {
	if s.Secret == "" && len(s.Issuers) == 0 {
		s.Secret = demoSecret
	}
	return s
}

// IsDemo reports whether demoSecret signs the tokens.
func (s Settings) IsDemo() bool { return s.Secret == demoSecret }

// check returns an *exit.Error if the settings are not valid.
func (s Settings) check() error {
	switch {
	case s.Secret != "" && len(s.Secret) < MinSecretBytes:
		return configError(fmt.Sprintf("the secret for tokens has only %d bytes", len(s.Secret)),
			fmt.Sprintf("set JWT_SECRET to %d random bytes or more", MinSecretBytes))
	case s.Secret == "" && len(s.Issuers) > 0 && len(s.Audiences) == 0:
		// A provider's keys also sign the tokens of its other customers and applications.
		return configError("an identity provider is trusted only for the tokens of one audience",
			"set JWT_AUDIENCE to what your tokens have in aud, or in client_id or azp if they have no aud")
	case slices.Contains(s.Audiences, "") || slices.Contains(s.Issuers, ""):
		return configError("an issuer or an audience of tokens is empty", "correct JWT_ISSUER and JWT_AUDIENCE")
	case s.SubjectClaim == "" || s.RolesClaim == "":
		return configError("a claim has an empty name", "set JWT_SUBJECT_CLAIM and JWT_ROLES_CLAIM, or leave them out")
	}
	for _, text := range s.Issuers {
		if err := s.checkIssuerSetting(text); err != nil {
			return err
		}
	}
	return defaults.Check(&s)
}

// issuerOf returns an issuer of the settings and the URL of its key set, "" for one that is found by discovery.
func issuerOf(text string) (name, keySet string) {
	name, keySet, _ = strings.Cut(text, "=")
	return name, keySet
}

// checkIssuerSetting returns an *exit.Error for an issuer whose keys cannot be fetched, or are not needed.
func (s Settings) checkIssuerSetting(text string) error {
	name, keySet := issuerOf(text)
	switch {
	case s.Secret != "" && keySet != "":
		return configError("there are both a secret and a key set for tokens",
			"set JWT_SECRET, or an issuer with a key set in JWT_ISSUER, not both")
	case s.Secret != "":
		return nil
	}
	if err := checkURL(cmp.Or(keySet, name)); err != nil {
		return configError(fmt.Sprintf("the keys of %s cannot be fetched: %v", name, err),
			"set JWT_ISSUER to the https:// address of an OpenID provider, or to ISSUER=URL with that of its key set")
	}
	return nil
}

// checkURL returns an error for an address whose response an attacker on the network could replace.
func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return errors.New("its address is not a URL")
	}
	local := u.Hostname() == "localhost"
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil {
		local = ip.IsLoopback()
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !local) {
		return errors.New("its address does not begin with https://")
	}
	return nil
}

func configError(problem, fix string) error {
	return &exit.Error{Problem: problem, Fix: fix, Code: exit.Config}
}
