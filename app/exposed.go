package app

import (
	"context"
	"log/slog"
	"strings"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/browser"
)

// exposure is what others can use of a gateway on the local engine.
type exposure struct {
	gateway.Config
	listeners listeners
	// metricsAddr is the address of its own for metrics; "" for none.
	metricsAddr string
	// tokensArePublic is set if anybody can make a token.
	tokensArePublic bool
}

// warnOfExposure logs what others than this machine can use of a gateway on the local engine, unless they can use
// nothing.
func warnOfExposure(ctx context.Context, e exposure, log *slog.Logger) {
	hosts, origins := e.Browser.AllowedHosts, e.Browser.CORSOrigins
	settings := []any{"addr", e.listeners.String(), "allowedHosts", hosts.String()}
	isLocal := e.listeners.isLoopback() && hosts.IsLoopback()
	if addr := e.metricsAddr; addr != "" && !(browser.Hosts{}).WithLoopback().With(hostOf(addr)).IsLoopback() {
		settings, isLocal = append(settings, "metricsAddr", addr), false
	}
	if !origins.IsLoopback() {
		settings, isLocal = append(settings, "corsOrigins", origins.String()), false
	}
	if isLocal {
		return
	}
	log.WarnContext(ctx, "the gateway is not restricted to this machine, as it is without these settings",
		append(settings, "exposed", strings.Join(e.parts(), ", "))...)
}

// parts returns what a caller can use.
func (e exposure) parts() []string {
	all := []string{"what anonymous callers may do"}
	if e.tokensArePublic {
		all[0] = "everything, in the name of any user (the demo secret is public, set JWT_SECRET)"
	}
	if !e.Documents.DisableIntrospection {
		all = append(all, "the schema")
	}
	if !e.Playground.Disabled {
		all = append(all, "the playground")
	}
	if e.Table.Reader != nil {
		all = append(all, "everything that is stored, to "+gateway.RoleTable)
	}
	if e.Monitoring.Metrics != nil || e.metricsAddr != "" {
		all = append(all, "metrics")
	}
	return all
}
