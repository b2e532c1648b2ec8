package replicas

import (
	"errors"
	"net/url"
	"time"

	"github.com/valkey-io/valkey-go"

	"github.com/partita/partita/internal/defaults"
)

// Settings select a store. The tags are for kong: a command embeds the struct.
type Settings struct {
	URL      string        `name:"shared-store" env:"SHARED_STORE" placeholder:"URL" help:"Valkey or Redis server in which replicas share their budgets, such as redis://host:6379/0, valkey://host, or rediss://user@host with TLS. Its keys begin with partita, or with another text, as in redis://host?prefix=shop: gateways with the same share their budgets. Without a store, each replica has budgets of its own."`
	Password string        `name:"shared-store-password" env:"SHARED_STORE_PASSWORD" placeholder:"PASSWORD" help:"Password of the shared store, if its URL has none."`
	Timeout  time.Duration `name:"shared-store-timeout" env:"SHARED_STORE_TIMEOUT" default:"100ms" range:"1ms..1m" help:"How long an operation waits for the shared store, before this replica continues by itself."`
}

// IsSet reports whether there is a store.
func (s Settings) IsSet() bool { return s.URL != "" }

// Validate returns an error for settings with which no store can be used.
func (s Settings) Validate() error {
	if _, _, err := s.options(); s.IsSet() && err != nil {
		return err
	}
	return defaults.Check(&s)
}

// errURL does not repeat the URL, which may contain a password.
var errURL = errors.New("--shared-store must be a URL such as redis://host:6379/0 with the scheme redis, rediss, " +
	"valkey or valkeys, and at most ?prefix=TEXT behind it; " +
	"in a user name or password, write / as %2F, @ as %40, : as %3A, # as %23 and ? as %3F")

// defaultPrefix is the first part of all keys, unless the URL has another one.
const defaultPrefix = "partita"

// options parses the URL, which has the prefix of keys as its only parameter. It is not a type that kong parses,
// because kong's error for a variable has its value.
func (s Settings) options() (_ valkey.ClientOption, prefix string, err error) {
	u, err := url.Parse(s.URL)
	if err != nil || u.Hostname() == "" || u.ForceQuery || u.Fragment != "" {
		return valkey.ClientOption{}, "", errURL
	}
	prefix = defaultPrefix
	if u.RawQuery != "" {
		query, err := url.ParseQuery(u.RawQuery)
		if prefix = query.Get("prefix"); err != nil || prefix == "" || len(query) > 1 || len(query["prefix"]) > 1 {
			return valkey.ClientOption{}, "", errURL
		}
		u.RawQuery = ""
	}
	switch u.Scheme {
	case "redis", "rediss", "valkey", "valkeys":
	default:
		return valkey.ClientOption{}, "", errURL
	}
	if u.Path == "/" { // the same as no path
		u.Path = ""
	}
	options, err := valkey.ParseURL(u.String())
	if err != nil || options.SelectDB < 0 {
		return valkey.ClientOption{}, "", errURL
	}
	if options.Password == "" {
		options.Password = s.Password
	}
	return options, prefix, nil
}
