package app_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/app"
	"github.com/partita/partita/exit"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
)

// pacer is background work with a setting.
type pacer struct {
	Pace time.Duration `default:"1s" range:"0s..1h"`
}

func (*pacer) Start(context.Context, *table.Table, *slog.Logger) func() { return func() {} }

// commands are further commands of `table`.
type commands struct {
	Count count `cmd:""`
}

type count struct{}

func (*count) Run(ctx context.Context, a *app.Application) error {
	return errors.Join(errors.New("counted by "+a.Name), ctx.Err())
}

func TestRun(t *testing.T) {
	plain := app.Application{Name: "tasks", Design: design.MustDesign(nil, nil, nil)}
	further := plain
	further.Background, further.TableCommands = &pacer{}, &commands{}
	unnamed := app.Application{Design: plain.Design}
	for _, tt := range []struct {
		name        string
		application app.Application
		arguments   string
		code        int
		message     string
	}{
		{"the program has its name", plain, "--nonsense", exit.Usage, `unknown flag --nonsense: see "tasks --help"`},
		{"the name has a default", unnamed, "--nonsense", exit.Usage, `see "partita --help"`},
		{"there are no demo data", plain, "table load --demo", exit.Usage, "there are no demo data"},
		{
			"settings of serve are checked", plain, "serve --max-read-units=-1", exit.Usage,
			"--max-read-units (MAX_READ_UNITS) must be from 0 to 1e9, not -1",
		},
		{
			"and so are those of lambda", plain, "lambda --max-read-units=-1", exit.Usage,
			"--max-read-units (MAX_READ_UNITS) must be from 0 to 1e9, not -1",
		},
		{"background work has settings", further, "serve --pace=-1s", exit.Usage, "--pace must be from 0s to 1h, not -1s"},
		{"without it there are none", plain, "serve --pace=1s", exit.Usage, "unknown flag --pace"},
		{"further commands have the application", further, "table count", 1, "counted by tasks"},
		{"without them there are none", plain, "table count", exit.Usage, `unexpected argument count`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.application.Run(t.Context(), strings.Fields(tt.arguments))
			if app.ExitCode(err) != tt.code || err == nil || !strings.Contains(err.Error(), tt.message) {
				t.Errorf("got %d, %v, want %d, %q", app.ExitCode(err), err, tt.code, tt.message)
			}
		})
	}
}

func TestExitCodeOfSuccess(t *testing.T) {
	if got := app.ExitCode(nil); got != 0 {
		t.Errorf("got %d", got)
	}
}
