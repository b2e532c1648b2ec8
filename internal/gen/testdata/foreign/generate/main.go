// Command generate writes the data of eleven existing tables, as a program would that knows nothing of Partita:
// data.jsonl in the folder of each system, DynamoDB JSON lines as in an export to S3. Run it in the folder above:
//
//	go run ./generate
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

func main() {
	for name, items := range map[string][]item{
		"billing":      billing(),
		"catalogue":    catalogue(),
		"devices":      devices(),
		"documents":    documents(),
		"employees":    employees(),
		"films":        films(),
		"hotpartition": hotPartition(),
		"organisation": organisation(),
		"products":     products(),
		"shops":        shops(),
		"teams":        teams(),
	} {
		if err := save(name, items); err != nil {
			log.Fatal(err)
		}
	}
}

// save writes a line for each item. The attributes of an item are sorted, so that the same items are the same bytes.
func save(folder string, items []item) error {
	var b bytes.Buffer
	for _, it := range items {
		line, err := json.Marshal(map[string]item{"Item": it})
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "data.jsonl"), b.Bytes(), 0o644)
}

// item is an item in DynamoDB JSON: attributes by name, each a value by its type.
type item map[string]map[string]any

// with returns the item with the attributes of another one, too.
func (it item) with(other item) item {
	all := item{}
	for name, v := range it {
		all[name] = v
	}
	for name, v := range other {
		all[name] = v
	}
	return all
}

// text returns a String.
func text(s string) map[string]any { return map[string]any{"S": s} }

// textf returns a String that is formatted as by fmt.Sprintf.
func textf(format string, arguments ...any) map[string]any {
	return text(fmt.Sprintf(format, arguments...))
}

// number returns a Number.
func number[T int | int64 | float64](n T) map[string]any { return map[string]any{"N": fmt.Sprint(n)} }

// list returns a List of Strings.
func list(texts ...string) map[string]any {
	values := []any{}
	for _, t := range texts {
		values = append(values, text(t))
	}
	return map[string]any{"L": values}
}

// digits returns a String with an integer.
func digits(n int) map[string]any { return text(strconv.Itoa(n)) }

// march is the time at which the tables were filled.
var march = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
