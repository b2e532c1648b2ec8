package app

import (
	"context"
	"log/slog"
	"strings"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/browser"
)

// warnOfExposure logs what others than this machine can use of a gateway on the local engine, unless they can use
// nothing.
func (c *serveCommand) warnOfExposure(ctx context.Context, config gateway.Config, l listeners, log *slog.Logger) {
	settings := []any{"addr", l.String(), "allowedHosts", config.Browser.AllowedHosts.String()}
	isLocal := l.isLoopback() && config.Browser.AllowedHosts.IsLoopback()
	if addr := c.Telemetry.MetricsAddr; addr != "" && !(browser.Hosts{}).WithLoopback().With(hostOf(addr)).IsLoopback() {
		settings, isLocal = append(settings, "metricsAddr", addr), false
	}
	if !config.Browser.CORSOrigins.IsLoopback() {
		settings, isLocal = append(settings, "corsOrigins", config.Browser.CORSOrigins.String()), false
	}
	if isLocal {
		return
	}
	log.WarnContext(ctx, "the gateway is not restricted to this machine, as it is without these settings",
		append(settings, "exposed", strings.Join(c.exposed(config), ", "))...)
}

// exposed returns what a caller can use.
func (c *serveCommand) exposed(config gateway.Config) []string {
	all := []string{"what anonymous callers may do"}
	if c.Auth.IsDemo() {
		all[0] = "everything, in the name of any user (the demo secret is public, set JWT_SECRET)"
	}
	if !config.Documents.DisableIntrospection {
		all = append(all, "the schema")
	}
	if !config.Playground.Disabled {
		all = append(all, "the playground")
	}
	if config.Table.Reader != nil {
		all = append(all, "everything that is stored, to "+gateway.RoleTable)
	}
	if config.Monitoring.Metrics != nil || c.Telemetry.MetricsAddr != "" {
		all = append(all, "metrics")
	}
	return all
}
