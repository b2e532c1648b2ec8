package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/bill"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/live/stream"
)

// billCommand is `bill`.
type billCommand struct {
	folderArgument
	Log     []string `sep:"none" type:"path" predictor:"file" placeholder:"FILE" help:"The log of a gateway with LOG_FORMAT=json, plain or gzip; - for standard input; repeatable."`
	Callers string   `type:"path" predictor:"file" placeholder:"FILE" help:"Classes of the callers in --log, by the ids that it has of them: lines such as '01999ec9-0c00-73b3: importer'. All others are anonymous or signed in."`
	Metrics []string `sep:"none" type:"path" predictor:"file" placeholder:"FILE" help:"What a gateway answers to GET /metrics; repeatable, once for each replica."`
	Rates   string   `type:"path" predictor:"file" placeholder:"FILE" help:"How often operations will be sent, for a bill before anything runs: lines such as 'PlaceOrder: 2.5/s', per s, min, h, day or month. Each costs what it did on average in --log, and otherwise what one of --operations costs at worst."`

	Operations []string `sep:"none" placeholder:"GLOB" help:"Operations of clients, as for diff: for --rates, and to divide what --log has between table and indexes, as their plans do; repeatable."`

	Prices       string     `type:"path" predictor:"file" placeholder:"FILE" help:"The price list. By default, it is the public one of us-east-1; --format=prices prints it."`
	TableClass   string     `placeholder:"CLASS" help:"The class of the table: STANDARD or STANDARD_INFREQUENT_ACCESS. By default, it is that of --description, and STANDARD without one."`
	Description  []string   `sep:"none" type:"path" predictor:"file" placeholder:"FILE" help:"The output of \"aws dynamodb describe-table\", which has the sizes and the capacity of the table and its indexes; for backups also those of describe-continuous-backups and list-backups; repeatable."`
	Storage      *bill.Size `placeholder:"SIZE" help:"What table and indexes store together, such as 27GB, instead of --description."`
	StreamShards int64      `default:"0" range:"0..100000" placeholder:"N" help:"How many open shards the stream of the table has, for live fields and the cache of items. With --metrics, they have been counted."`
	Format       string     `default:"text" enum:"text,json,prices" help:"text; json; prices for the price list itself."`
}

// Validate returns an error for settings that do not belong together.
func (c *billCommand) Validate() error {
	isMeasured := len(c.Metrics) > 0
	switch {
	case c.Format == "prices":
		return nil
	case !isMeasured && len(c.Log) == 0 && c.Rates == "":
		return errors.New("give --log, --metrics or --rates")
	case isMeasured && (len(c.Log)+len(c.Operations) > 0 || c.Rates != ""):
		return errors.New("--metrics cannot be together with --log, --rates or --operations")
	case c.Rates != "" && len(c.Operations)+len(c.Log) == 0:
		return errors.New("--rates needs --operations or --log, which say what an operation consumes")
	case c.Callers != "" && len(c.Log) == 0:
		return errors.New("--callers needs --log")
	case len(c.Description) > 0 && c.Storage != nil:
		return errors.New("give either --description or --storage")
	case isMeasured && (len(c.Description) > 0 || c.Storage != nil || c.StreamShards > 0):
		return errors.New("--description, --storage and --stream-shards are for --log and --rates: metrics do not say of " +
			"which time they are")
	}
	return nil
}

// Run prints the bill, or the price list.
func (c *billCommand) Run(ctx context.Context, a *Application) error {
	list, text, err := c.prices()
	if err != nil {
		return err
	}
	if c.Format == "prices" {
		_, err := os.Stdout.Write(text)
		return err
	}
	b, err := c.bill(ctx, a, list)
	if err != nil {
		return err
	}
	if c.Format == "json" {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(b)
	}
	return b.WriteText(os.Stdout)
}

// prices returns the price list and its text.
func (c *billCommand) prices() (*bill.Prices, []byte, error) {
	text, name := bill.DefaultPrices, "the default"
	if c.Prices != "" {
		var err error
		if text, err = folder.ReadFile(c.Prices); err != nil {
			return nil, nil, err
		}
		name = c.Prices
	}
	list, err := bill.ReadPrices(text)
	if err != nil {
		return nil, nil, &exit.Error{
			Problem: fmt.Sprintf("the price list %s cannot be used: %v", name, err),
			Fix:     "write it as the one that --format=prices prints", Code: exit.DataError, Err: err,
		}
	}
	return list, text, nil
}

func (c *billCommand) bill(ctx context.Context, a *Application, list *bill.Prices) (*bill.Bill, error) {
	table, err := c.described(list)
	if err != nil {
		return nil, err
	}
	known, err := c.operations(a)
	if err != nil {
		return nil, err
	}
	b := bill.New(list, table.Class)
	switch {
	case c.Rates != "":
		if err := c.estimate(ctx, b, known); err != nil {
			return nil, err
		}
		periods := []bill.Period{{Seconds: bill.MonthSeconds, Of: bill.MonthSeconds}}
		if table.Provisioned == nil {
			b.Compare(periods, b.Constant(table.Stored), "at constant rates; with peaks it is more")
		}
		c.addTable(b, table, periods)
	case len(c.Metrics) > 0:
		return b, c.measure(ctx, b)
	default:
		log, err := c.add(ctx, b, known)
		if err != nil {
			return nil, err
		}
		is, note := log.IsComparable()
		switch {
		case table.Provisioned != nil:
		case is:
			b.Compare(log.Periods(), log.Hours(b, table.Stored), "in the busiest minute of each hour")
		default:
			b.Notes = append(b.Notes, note)
		}
		c.addTable(b, table, log.Periods())
	}
	return b, nil
}

// addTable adds what the table costs beside its operations.
func (c *billCommand) addTable(b *bill.Bill, table *bill.Description, periods []bill.Period) {
	if table.Provisioned != nil {
		b.Provision(table.Provisioned, periods)
	}
	if len(table.Stored) > 0 {
		b.Storage(table.Stored, periods)
	}
	if table.HasPointInTime {
		b.PointInTime(table.Stored, periods)
	}
	if bytes := table.BackupBytes(); bytes > 0 {
		b.OnDemandBackups(bytes, periods)
	}
	if c.StreamShards > 0 {
		b.ShardReads(c.StreamShards, int64(time.Second/stream.DefaultInterval), periods)
	}
	switch {
	case c.Storage != nil:
		b.Notes = append(b.Notes, "point-in-time recovery as \"partita table create\" turns it on, and at most: "+
			"no global index is in it")
	case len(c.Description) > 0 && !table.KnowsPointInTime:
		b.Notes = append(b.Notes,
			"without point-in-time recovery: --description has no output of describe-continuous-backups")
	}
}

// described returns what is known of the table.
func (c *billCommand) described(list *bill.Prices) (*bill.Description, error) {
	d := &bill.Description{}
	if c.Storage != nil {
		d.Stored, d.HasPointInTime = []bill.Stored{{Bytes: c.Storage.Bytes}}, true
	}
	for _, name := range c.Description {
		text, err := folder.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := d.Read(text); err != nil {
			return nil, wrongDescription(fmt.Sprintf("%s cannot be used: %v", name, err), err)
		}
	}
	if len(c.Description) > 0 && d.Stored == nil {
		return nil, wrongDescription("--description does not describe the table", nil)
	}
	d.Class = cmp.Or(c.TableClass, d.Class, bill.StandardClass)
	if list.Classes[d.Class] == nil {
		return nil, &exit.Error{
			Problem: fmt.Sprintf("the price list of %s has no table class %s", list.Region, d.Class),
			Fix:     "add it to the list, or set --table-class to one of " + strings.Join(list.ClassNames(), ", "),
			Code:    exit.Usage,
		}
	}
	return d, nil
}

func wrongDescription(problem string, err error) error {
	return &exit.Error{
		Problem: problem, Fix: "give the output of: aws dynamodb describe-table --table-name NAME",
		Code: exit.DataError, Err: err,
	}
}
