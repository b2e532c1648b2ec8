package gateway

import "github.com/partita/partita/internal/gateway/browser"

// Exposure is what the gateway shows of itself, and to whom. Each of the first settings is "on", "off" or "auto", which
// is "on" if the table is for development only. The tags are for kong: a command embeds the struct.
type Exposure struct {
	Introspection string        `env:"INTROSPECTION" default:"auto" enum:"auto,on,off" help:"Whether operations may select the schema, errors suggest its names, and /plan and /design show keys: on, off, or auto, which is on with the local engine only."`
	Playground    string        `env:"PLAYGROUND" default:"auto" enum:"auto,on,off" help:"Whether / is GraphiQL: on, off, or auto, which is on with the local engine only."`
	TablePage     string        `env:"TABLE_PAGE" default:"auto" enum:"auto,on,off" help:"Whether /table shows what is stored: on, off, or auto, which is on with the local engine only. Except there, viewers need the role ADMIN."`
	AllowedHosts  browser.Hosts `env:"ALLOWED_HOSTS" placeholder:"HOST,..." help:"Hosts that requests may be addressed to, without ports, such as shop.example; * for all. All by default, on the local engine those of this machine, which are always allowed there."`
}

// Apply sets the configuration accordingly. local reports whether the table is for development only: then the hosts of
// this machine are allowed, and of others only those that are configured, and so are pages from there.
func (e Exposure) Apply(config *Config, local bool) {
	off := func(setting string) bool { return setting == "off" || setting != "on" && !local }
	config.Documents.DisableIntrospection = off(e.Introspection)
	config.Documents.DisableSuggestions = off(e.Introspection) // they would say the same, name by name
	config.Playground.Disabled = off(e.Playground)
	if config.Table.ForThisMachine = local; off(e.TablePage) {
		config.Table = TablePage{}
	}
	config.Browser.AllowedHosts = e.AllowedHosts
	if local {
		config.Browser.AllowedHosts = e.AllowedHosts.WithLoopback()
		config.Browser.CORSOrigins = config.Browser.CORSOrigins.WithLoopback()
	}
}
