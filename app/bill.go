package app

import (
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
	Description  string     `type:"path" predictor:"file" placeholder:"FILE" help:"The output of \"aws dynamodb describe-table\", which has the sizes of the table and its indexes."`
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
	case c.Description != "" && c.Storage != nil:
		return errors.New("give either --description or --storage")
	case isMeasured && (c.Description != "" || c.Storage != nil || c.StreamShards > 0):
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
	stored, class, err := c.stored(list)
	if err != nil {
		return nil, err
	}
	known, err := c.operations(a)
	if err != nil {
		return nil, err
	}
	b := bill.New(list, class)
	periods := []bill.Period{{Seconds: bill.MonthSeconds, Of: bill.MonthSeconds}}
	switch {
	case c.Rates != "":
		err = c.estimate(ctx, b, known)
	case len(c.Metrics) > 0:
		periods, err = nil, c.measure(ctx, b)
	default:
		periods, err = c.add(ctx, b, known)
	}
	if len(stored) > 0 {
		b.Storage(stored, periods)
	}
	if c.StreamShards > 0 {
		b.ShardReads(c.StreamShards, int64(time.Second/stream.DefaultInterval), periods)
	}
	return b, err
}

// stored returns what is stored, and the table class.
func (c *billCommand) stored(list *bill.Prices) (stored []bill.Stored, class string, err error) {
	if c.Storage != nil {
		stored = []bill.Stored{{Bytes: c.Storage.Bytes}}
	}
	if c.Description != "" {
		text, err := folder.ReadFile(c.Description)
		if err != nil {
			return nil, "", err
		}
		if stored, class, err = bill.ReadDescription(text); err != nil {
			return nil, "", &exit.Error{
				Problem: err.Error(), Fix: "give the output of: aws dynamodb describe-table --table-name NAME",
				Code: exit.DataError, Err: err,
			}
		}
	}
	for _, known := range []string{bill.StandardClass, class, c.TableClass} {
		if known != "" {
			class = known
		}
	}
	if list.Classes[class] == nil {
		return nil, "", &exit.Error{
			Problem: fmt.Sprintf("the price list of %s has no table class %s", list.Region, class),
			Fix:     "add it to the list, or set --table-class to one of " + strings.Join(list.ClassNames(), ", "),
			Code:    exit.Usage,
		}
	}
	return stored, class, nil
}
