package gateway

// Exposure is what the gateway shows of itself to all callers. Each setting is "on", "off" or "auto", which is "on"
// if the table is for development only. The tags are for kong: a command embeds the struct.
type Exposure struct {
	Introspection string `env:"INTROSPECTION" default:"auto" enum:"auto,on,off" help:"Whether operations may select the schema: on, off, or auto, which is on with the local engine only."`
	Suggestions   string `env:"SUGGESTIONS" default:"auto" enum:"auto,on,off" help:"Whether errors suggest names of the schema: on, off, or auto, which is on with the local engine only."`
	Playground    string `env:"PLAYGROUND" default:"auto" enum:"auto,on,off" help:"Whether / is GraphiQL: on, off, or auto, which is on with the local engine only."`
}

// Apply sets the configuration accordingly. local reports whether the table is for development only.
func (e Exposure) Apply(config *Config, local bool) {
	off := func(setting string) bool { return setting == "off" || setting != "on" && !local }
	config.DisableIntrospection = off(e.Introspection)
	config.DisableSuggestions = off(e.Suggestions)
	config.Playground.Disabled = off(e.Playground)
}
