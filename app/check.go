package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// exitViolations is the exit code of a check that has found violations, and of a repair that has not repaired all.
const exitViolations = 1

// checkSettings are those of `partita table check` and `partita table repair`.
type checkSettings struct {
	ReadUnits  float64  `placeholder:"N" range:"0..1e9" help:"Use at most N read units a second, on average; 0 for no limit."`
	Checkpoint string   `type:"path" predictor:"file" placeholder:"FILE" help:"Save the progress in FILE, and continue from there if FILE exists."`
	Only       []string `placeholder:"KIND" help:"Only these kinds of violations, such as COPY_DIFFERS; repeatable. In a table with other writers, repair overwrites and deletes only what is named here."`
	Type       []string `placeholder:"TYPE" help:"Only items of these types of the schema; repeatable."`
	Index      []string `placeholder:"INDEX" help:"Only entries in these indexes; repeatable."`
	Format     string   `enum:"text,json" default:"text" help:"Format of the output: text or json, one line for each violation."`
}

// Validate returns an error for a rate that is too low.
func (s *checkSettings) Validate() error {
	if s.ReadUnits > 0 && s.ReadUnits < 1 {
		return fmt.Errorf("--read-units must be 1 or more, or 0 for no limit, not %v", s.ReadUnits)
	}
	return nil
}

type checkCommand struct {
	folderArgument
	Table local.Settings `embed:""`
	checkSettings
}

// Run checks the table.
func (c *checkCommand) Run(ctx context.Context, a *Application) error {
	return c.run(ctx, a, c.Table, check.Table)
}

type repairCommand struct {
	folderArgument
	Table local.Settings `embed:""`
	checkSettings
	DryRun bool `help:"Print what would be repaired, and change nothing."`
}

// Run repairs the table.
func (c *repairCommand) Run(ctx context.Context, a *Application) error {
	if c.DryRun {
		return c.run(ctx, a, c.Table, check.Table)
	}
	return c.run(ctx, a, c.Table, check.Repair)
}

func (s *checkSettings) run(ctx context.Context, a *Application, settings local.Settings,
	pass func(context.Context, check.Source, check.Options) (check.Report, error),
) error {
	return a.WithTable(ctx, settings, func(t *table.Table, log *slog.Logger) error {
		out := &findings{w: os.Stdout, json: s.Format == "json"}
		o := a.checkOptions()
		o.ReadUnits, o.Checkpoint = s.ReadUnits, s.Checkpoint
		var err error
		if o.Scope, err = s.scope(a); err != nil {
			return err
		}
		o.Found, o.Progress = out.found, progressLog(ctx, log, t.Name())
		hasRecord, err := a.followsSchema(ctx, t)
		if err != nil {
			return err
		}
		o.KeepsUnnamed = !hasRecord
		report, err := pass(ctx, admin.Scanner{Table: t}, o)
		switch {
		case errors.Is(err, context.Canceled):
			return &stoppedError{advice: s.goOn(), err: err}
		case err != nil:
			return operatorError(t, err)
		}
		out.summary(report)
		if !hasRecord && !out.json {
			out.print(fmt.Sprintf("The table has no record of its design: %q reads all of it, and writes one.",
				a.command("migrate run")))
		}
		if out.err != nil {
			return out.err
		}
		return a.outcome(report)
	})
}

// scope returns which violations the command is about. The error names what there is in place of an unknown name.
func (s *checkSettings) scope(a *Application) (check.Scope, error) {
	var kinds, types []string
	for _, kind := range check.Kinds {
		kinds = append(kinds, string(kind))
	}
	for _, t := range a.Design.Types {
		types = append(types, t.Name)
	}
	for _, flag := range []struct {
		name         string
		given, known []string
	}{{"only", s.Only, kinds}, {"type", s.Type, types}, {"index", s.Index, a.Design.IndexNames()}} {
		for _, value := range flag.given {
			isOfRule := flag.name == "only" && len(a.Rules) > 0 // Rules have kinds of their own.
			if !slices.Contains(flag.known, value) && !isOfRule {
				return check.Scope{}, &exit.Error{
					Problem: fmt.Sprintf("--%s=%s is unknown", flag.name, value),
					Fix:     "name one of " + strings.Join(flag.known, ", "), Code: exit.Usage,
				}
			}
		}
	}
	scope := check.Scope{Types: s.Type, Indexes: s.Index}
	for _, kind := range s.Only {
		scope.Only = append(scope.Only, check.Kind(kind))
	}
	return scope, nil
}

func operatorError(t *table.Table, err error) error {
	if file, is := errors.AsType[*check.CheckpointError](err); is {
		return file
	}
	return t.ExitError(err)
}

// goOn returns how a run that was interrupted can be finished.
func (s *checkSettings) goOn() string {
	if s.Checkpoint == "" {
		return "the next run begins anew; with --checkpoint FILE it would go on from here"
	}
	return "run the same command again to go on from here"
}

// stoppedError is the error of a command that was interrupted and can be resumed.
type stoppedError struct {
	advice string
	err    error
}

func (e *stoppedError) Error() string { return "interrupted: " + e.advice }

func (e *stoppedError) Unwrap() error { return e.err }

// violationsError is the error of a check that has found violations.
type violationsError struct {
	violations, repairable int
	repair                 string // the command
}

func (e *violationsError) Error() string {
	return fmt.Sprintf("violations found: %d; %q can repair %d", e.violations, e.repair, e.repairable)
}

// outcome returns the error for a report, nil for a table without violations.
func (a *Application) outcome(r check.Report) error {
	if len(r.Violations) > 0 {
		e := &violationsError{violations: len(r.Violations), repair: a.command("table repair")}
		for _, v := range r.Violations {
			if v.Fix != "" && v.Needs == "" {
				e.repairable++
			}
		}
		return e
	}
	if n := len(r.Unconfirmed); n > 0 {
		return &exit.Error{
			Problem: fmt.Sprintf("%d items could not be checked, because they were changed all the time, %s among them",
				n, check.Violation{PK: r.Unconfirmed[0].PK, SK: r.Unconfirmed[0].SK}.Where()),
			Fix:  "try again when they are changed less often",
			Code: exit.TryAgain,
		}
	}
	return nil
}

// findings prints the violations that a check finds.
type findings struct {
	w    io.Writer
	json bool
	// err is the first failure to print.
	err error
}

func (f *findings) found(v check.Violation) {
	if f.json {
		f.line(v)
		return
	}
	outcome := "repair leaves it"
	switch {
	case v.Repaired:
		outcome = "repaired: " + v.Fix
	case v.Needs != "":
		outcome = "repair leaves it, and with " + v.Needs + " would " + v.Fix
	case v.Fix != "":
		outcome = "repair would " + v.Fix
	}
	f.print(fmt.Sprintf("%s %s: %s; %s", v.Kind, v.Where(), v.Problem, outcome))
}

// summary is the last line.
func (f *findings) summary(r check.Report) {
	if !f.json {
		f.print(fmt.Sprintf("items %d, violations %d, repaired %d, requests %d, read units %g, write units %g",
			r.Items, len(r.Violations), len(r.Repaired), r.Cost.Requests, r.Cost.ReadUnits, r.Cost.WriteUnits))
		return
	}
	f.line(struct {
		Items      int `json:"items"`
		Violations int `json:"violations"`
		Repaired   int `json:"repaired"`
		check.Cost
	}{r.Items, len(r.Violations), len(r.Repaired), r.Cost})
}

func (f *findings) line(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		f.err = errors.Join(f.err, err)
		return
	}
	f.print(string(text))
}

// print writes one line. A stored key may contain any character, line breaks included.
func (f *findings) print(text string) {
	if f.err == nil {
		_, f.err = fmt.Fprintln(f.w, strings.Map(printable, text))
	}
}

func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return '\uFFFD'
	}
	return r
}

// Progress is logged this often, to a person and to a file.
const (
	progressOnTerminal = time.Second
	progressInFile     = 30 * time.Second
)

func progressLog(ctx context.Context, log *slog.Logger, name string) func(check.Report) {
	every := progressInFile
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		every = progressOnTerminal
	}
	last := time.Now()
	return func(r check.Report) {
		if time.Since(last) < every {
			return
		}
		last = time.Now()
		log.InfoContext(ctx, "checking", "table", name, "items", r.Items, "violations", len(r.Violations),
			"repaired", len(r.Repaired), "readUnits", r.Cost.ReadUnits)
	}
}
