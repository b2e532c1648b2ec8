package auth

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"time"

	"github.com/partita/partita/exit"
)

// DemoSecret signs the tokens of the local engine's demo data, when no other key is set. Everybody knows it: it is
// refused for any other table.
const DemoSecret = "partita demo secret: everybody knows it, for the local engine alone"

// MinSecretBytes is the shortest shared secret: as long as the output of HS256's hash (RFC 7518, section 3.2).
const MinSecretBytes = 32

// Settings say which tokens are trusted. The tags are for kong, so that a command embeds the struct.
type Settings struct {
	Secret  string `name:"jwt-secret" env:"JWT_SECRET" help:"Secret that tokens are signed with (HS256), 32 bytes or more. Other users of the machine see flags: set it in the environment."`
	JWKSURL string `name:"jwt-jwks-url" env:"JWT_JWKS_URL" help:"URL of the identity provider's JSON Web Key Set (RS256, ES256, EdDSA). The keys are cached and fetched anew when they rotate."`

	Issuer   string `name:"jwt-issuer" env:"JWT_ISSUER" help:"What the claim iss must be. Needed with a key set."`
	Audience string `name:"jwt-audience" env:"JWT_AUDIENCE" help:"What the claim aud must contain. Needed with a key set."`

	ClockSkew    time.Duration `name:"jwt-clock-skew" env:"JWT_CLOCK_SKEW" default:"30s" help:"How far the clocks of who signs and who checks may be apart."`
	SubjectClaim string        `name:"jwt-subject-claim" env:"JWT_SUBJECT_CLAIM" default:"sub" help:"The claim with the viewer's id, as ids are stored in the table."`
	RolesClaim   string        `name:"jwt-roles-claim" env:"JWT_ROLES_CLAIM" default:"roles" help:"The claim with the viewer's roles: an array, or names with spaces between."`
}

// ForDemo is the settings with DemoSecret where nothing else is set: for the local engine.
func (s Settings) ForDemo() Settings {
	if s.Secret == "" && s.JWKSURL == "" {
		s.Secret = DemoSecret
	}
	return s
}

// IsDemo reports whether DemoSecret signs the tokens.
func (s Settings) IsDemo() bool { return s.Secret == DemoSecret }

// check finds what is wrong with the settings; a problem is a *exit.Error.
func (s Settings) check() error {
	switch {
	case s.Secret != "" && s.JWKSURL != "":
		return problem("both a secret and a key set are to sign tokens", "set JWT_SECRET or JWT_JWKS_URL, not both")
	case s.Secret != "" && len(s.Secret) < MinSecretBytes:
		return problem(fmt.Sprintf("the secret for tokens has only %d bytes", len(s.Secret)),
			fmt.Sprintf("set JWT_SECRET to %d random bytes or more", MinSecretBytes))
	case s.JWKSURL != "" && (s.Issuer == "" || s.Audience == ""):
		// A provider's keys sign the tokens of all of its customers and applications.
		return problem("a key set alone does not tell whose tokens are meant for this gateway",
			"set JWT_ISSUER and JWT_AUDIENCE to what your tokens have in iss and aud")
	case s.ClockSkew < 0 || s.ClockSkew > time.Hour:
		return problem(fmt.Sprintf("clocks that are %v apart are none", s.ClockSkew), "set JWT_CLOCK_SKEW to 0s to 1h")
	case s.SubjectClaim == "" || s.RolesClaim == "":
		return problem("a claim without a name says nothing", "set JWT_SUBJECT_CLAIM and JWT_ROLES_CLAIM, or leave them out")
	}
	if err := checkKeySetURL(s.JWKSURL); err != nil {
		return problem(fmt.Sprintf("the key set cannot be fetched: %v", err), "set JWT_JWKS_URL to the provider's https:// address of its keys")
	}
	return nil
}

// checkKeySetURL refuses an address whose answer others on the way could replace.
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

func problem(what, fix string) error {
	return &exit.Error{Problem: what, Fix: fix, Code: exit.Config}
}
