package module

import (
	"context"
	"os/exec"
	"runtime/debug"
	"strings"

	"github.com/partita/partita/exit"
)

const (
	enginePath = "github.com/partita/partita"
	generator  = enginePath + "/gen/partitagen"
)

// Engine is the version of the engine that a module uses.
type Engine struct {
	// Version is one that Go can download, such as v1.2.3.
	Version string
	// Dir is a folder with the engine's source, which replaces any version; "" for none.
	Dir string
}

// require returns the commands by which a module requires the engine and its generator. Those for a folder ask nobody
// for versions of the engine, as go get would.
func (e Engine) require() [][]string {
	program := enginePath + "/app"
	if e.Dir == "" {
		return [][]string{{"get", program + "@" + e.Version}, {"get", "-tool", generator + "@" + e.Version}}
	}
	return [][]string{
		{"mod", "edit", "-replace=" + enginePath + "=" + e.Dir, "-require=" + enginePath + "@v0.0.0", "-tool=" + generator},
		{"list", "-e", "-mod=mod", "-deps", "-f={{/* only what it adds to go.mod */}}", ".", generator},
	}
}

// OwnEngine returns the engine of this program. If it was built from source that Go cannot download, that is the source
// of the module in the working directory.
func OwnEngine(ctx context.Context) (Engine, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		if version := engineVersion(info); version != "" {
			return Engine{Version: version}, nil
		}
	}
	found, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", enginePath).Output()
	if dir := strings.TrimSpace(string(found)); err == nil && dir != "" {
		return Engine{Dir: dir}, nil
	}
	return Engine{}, &exit.Error{
		Problem: "this program was not built from a released version of Partita",
		Fix:     "name the folder with Partita's source with --engine",
		Code:    exit.Usage, Err: err,
	}
}

// engineVersion returns the version of the engine that a program was built with, "" if Go cannot download it.
func engineVersion(info *debug.BuildInfo) string {
	engine := &info.Main
	for _, d := range info.Deps {
		if d.Path == enginePath {
			engine = d
		}
	}
	if engine.Path != enginePath || engine.Replace != nil || !strings.HasPrefix(engine.Version, "v") ||
		strings.Contains(engine.Version, "+dirty") {
		return ""
	}
	return engine.Version
}
