package exampletest

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// names replaces what a reader cannot read, or what differs between runs, by text.
type names struct {
	design *design.Design
	// generated are the UUIDs of new objects, in the order of their appearance.
	generated []string
	endCursor string
}

var (
	idText     = regexp.MustCompile(`"([A-Z][A-Za-z]*):([^"]*)"`)
	quotedText = regexp.MustCompile(`"[A-Za-z0-9_-]+"`)
	anyCursor  = regexp.MustCompile(`"(cursor|endCursor|startCursor)": ?"[^"]+"`)
	lastCursor = regexp.MustCompile(`"endCursor":"([^"]+)"`)
	// uuidV7 matches the ids that a creation generates.
	uuidV7   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)
	anyTime  = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	newNames = regexp.MustCompile(`\bnew(\d+)\b`)
)

// encode returns a document or a JSON text in which names are what they name.
func (n *names) encode(text string) string {
	text = strings.ReplaceAll(text, "$endCursor", n.endCursor)
	text = newNames.ReplaceAllStringFunc(text, func(name string) string {
		for i, uuid := range n.generated {
			if name == newName(i) {
				return uuid
			}
		}
		return name
	})
	return idText.ReplaceAllStringFunc(text, func(text string) string {
		parts := idText.FindStringSubmatch(text)
		if n.design.Type(parts[1]) == nil {
			return text
		}
		return fmt.Sprintf("%q", keys.NewID(parts[1], strings.Split(parts[2], "/")...).Encode())
	})
}

// decode is the reverse of encode. A time of the last minutes becomes now, and cursors are left out.
func (n *names) decode(text string) string {
	text = anyCursor.ReplaceAllString(text, `"$1":"..."`)
	text = quotedText.ReplaceAllStringFunc(text, func(text string) string {
		id, err := keys.ParseID(strings.Trim(text, `"`))
		if err != nil || n.design.Type(id.Type()) == nil {
			return text
		}
		return fmt.Sprintf("%q", id.Type()+":"+strings.Join(id.Values(), "/"))
	})
	text = uuidV7.ReplaceAllStringFunc(text, func(uuid string) string {
		for i, known := range n.generated {
			if known == uuid {
				return newName(i)
			}
		}
		n.generated = append(n.generated, uuid)
		return newName(len(n.generated) - 1)
	})
	return anyTime.ReplaceAllStringFunc(text, func(text string) string {
		if at, err := time.Parse(time.RFC3339, text); err == nil && time.Since(at).Abs() < time.Hour {
			return "now"
		}
		return text
	})
}

func newName(i int) string { return fmt.Sprint("new", i+1) }

func (n *names) sawCursor(body string) {
	if m := lastCursor.FindStringSubmatch(body); m != nil {
		n.endCursor = m[1]
	}
}
