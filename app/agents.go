package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/agents"
	"github.com/partita/partita/internal/gateway/auth"
	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/prices"
)

// agentSettings are about agents, which call operations as tools.
type agentSettings struct {
	MCP string `name:"mcp" env:"MCP" type:"path" predictor:"file" placeholder:"PATH" help:"What agents may call as tools at /mcp, by the Model Context Protocol: a folder with operations (*.graphql) and tools.json, or a persisted-query manifest, whose mutations and subscriptions are left out. Without it, there is no /mcp."`
}

// isSet reports whether there are tools.
func (s agentSettings) isSet() bool { return s.MCP != "" }

// config returns what agents are offered of an application; nothing without the setting.
func (s agentSettings) config(a, served *Application, authenticator *auth.Authenticator) (agents.Config, error) {
	if !s.isSet() {
		return agents.Config{}, nil
	}
	files, err := s.read()
	if err != nil {
		return agents.Config{}, err
	}
	version := contract.Version{API: plan.API(served.Schema.Schema()), Design: served.Design}
	tools, err := agents.Parse(files, agents.API{
		Schema: served.Schema.Schema(), Design: served.Design,
		Price: func(name, document string) (plan.Price, error) {
			return prices.Worst(prices.Listed(name, s.MCP, document), version, time.Now())
		},
	})
	if err != nil {
		return agents.Config{}, &exit.Error{
			Problem: fmt.Sprintf("the tools in %s cannot be used: %v", s.MCP, err),
			Fix:     "write them for this schema", Code: exit.Config, Err: err,
		}
	}
	return agents.Config{Tools: tools, Issuers: authenticator.Issuers(), Name: a.Name, Version: programVersion()}, nil
}

// programVersion returns the version without spaces, as the protocol wants it.
func programVersion() string { return strings.ReplaceAll(version(), " ", "-") }

// read reads the files of the setting.
func (s agentSettings) read() (agents.Files, error) {
	var files agents.Files
	info, err := os.Stat(s.MCP)
	if err != nil {
		return files, unreadableTools(s.MCP, err)
	}
	names := []string{s.MCP}
	if info.IsDir() {
		entries, err := os.ReadDir(s.MCP)
		if err != nil {
			return files, unreadableTools(s.MCP, err)
		}
		names = nil
		for _, e := range entries {
			names = append(names, filepath.Join(s.MCP, e.Name()))
		}
	}
	for _, name := range names {
		kind := filepath.Ext(name)
		if info.IsDir() && kind != ".graphql" && kind != ".gql" && kind != ".json" {
			continue
		}
		text, err := folder.ReadFile(name)
		if err != nil {
			return files, unreadableTools(name, err)
		}
		switch {
		case filepath.Base(name) == agents.SettingsFile:
			files.Settings = text
		case kind == ".json":
			files.Manifests = append(files.Manifests, text)
		default:
			files.Documents = append(files.Documents, &ast.Source{Name: name, Input: string(text)})
		}
	}
	return files, nil
}

func unreadableTools(path string, cause error) error {
	if e, is := errors.AsType[*fs.PathError](cause); is {
		cause = e.Err
	}
	return &exit.Error{
		Problem: fmt.Sprintf("cannot read the tools in %s (%v)", path, cause),
		Fix:     "set MCP to a folder with operations, or to a persisted-query manifest",
		Code:    exit.Config, Err: cause,
	}
}

// setAgents sets what agents are offered, after the schema has been set.
func (c *serveCommand) setAgents(
	ctx context.Context, config *gateway.Config, a *Application, authenticator *auth.Authenticator, log *slog.Logger,
) (err error) {
	served := *a
	of := c.Federation.of(a)
	served.Schema, served.Design = of.schema, of.design
	if config.Agents, err = c.Agents.config(a, &served, authenticator); err != nil || config.Agents.Tools == nil {
		return err
	}
	if left := config.Agents.Tools.LeftOut; len(left) > 0 {
		log.InfoContext(ctx, "operations that agents cannot call: mutations and subscriptions that tools.json does not name",
			"operations", strings.Join(left, ","))
	}
	return nil
}
