package auth

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
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
	Secret  string `name:"jwt-secret" env:"JWT_SECRET" help:"Secret that tokens are signed with (HS256), at least 32 bytes. Set it in the environment: other users of the machine can see flags."`
	JWKSURL string `name:"jwt-jwks-url" env:"JWT_JWKS_URL" help:"URL of the identity provider's JSON Web Key Set (RS256, ES256, EdDSA). The keys are cached, and fetched again when they rotate."`

	Issuer   string `name:"jwt-issuer" env:"JWT_ISSUER" help:"Required value of the claim iss. Must be set with a key set."`
	Audience string `name:"jwt-audience" env:"JWT_AUDIENCE" help:"Value that the claim aud must contain. Must be set with a key set."`

	SubjectClaim string `name:"jwt-subject-claim" env:"JWT_SUBJECT_CLAIM" default:"sub" help:"The claim with the viewer's id, as ids are stored in the table."`
	RolesClaim   string `name:"jwt-roles-claim" env:"JWT_ROLES_CLAIM" default:"roles" help:"The claim with the viewer's roles: an array, or names separated by spaces."`

	// ClockSkew is the largest accepted difference between the clocks of the gateway and the issuer of a token.
	ClockSkew time.Duration `kong:"-"`
	// TenantClaim is the claim with the viewer's tenant; "" without tenants. A token without it is not trusted.
	TenantClaim string `kong:"-"`
	// CheckTenant returns an error for what cannot be a tenant: the method CheckTenant of the table's stored.Layout. If it
	// is nil, it is that of the default layout.
	CheckTenant func(tenant string) error `kong:"-"`
}

// ForDemo returns the settings for the local engine, which have demoSecret if there is no other key.
func (s Settings) ForDemo() Settings {
	if s.Secret == "" && s.JWKSURL == "" {
		s.Secret = demoSecret
	}
	return s
}

// IsDemo reports whether demoSecret signs the tokens.
func (s Settings) IsDemo() bool { return s.Secret == demoSecret }

// check returns an *exit.Error if the settings are not valid.
func (s Settings) check() error {
	switch {
	case s.Secret != "" && s.JWKSURL != "":
		return configError("there are both a secret and a key set for tokens", "set JWT_SECRET or JWT_JWKS_URL, not both")
	case s.Secret != "" && len(s.Secret) < MinSecretBytes:
		return configError(fmt.Sprintf("the secret for tokens has only %d bytes", len(s.Secret)),
			fmt.Sprintf("set JWT_SECRET to %d random bytes or more", MinSecretBytes))
	case s.JWKSURL != "" && (s.Issuer == "" || s.Audience == ""):
		// A provider's keys also sign the tokens of its other customers and applications.
		return configError("a key set is trusted only for the tokens of one issuer and audience",
			"set JWT_ISSUER and JWT_AUDIENCE to what your tokens have in iss and aud")
	case s.SubjectClaim == "" || s.RolesClaim == "":
		return configError("a claim has an empty name", "set JWT_SUBJECT_CLAIM and JWT_ROLES_CLAIM, or leave them out")
	}
	if err := checkKeySetURL(s.JWKSURL); err != nil {
		return configError(fmt.Sprintf("the key set cannot be fetched: %v", err),
			"set JWT_JWKS_URL to the https:// address of the provider's key set")
	}
	return defaults.Check(&s)
}

// checkKeySetURL returns an error for an address whose response an attacker on the network could replace.
func checkKeySetURL(text string) error {
	if text == "" {
		return nil
	}
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
