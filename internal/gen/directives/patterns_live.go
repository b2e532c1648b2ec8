package directives

import (
	"bytes"
	"fmt"
)

// writeLive writes what it costs to begin a subscription, if there is live data.
func (s *Schema) writeLive(b *bytes.Buffer) {
	if len(s.Live) == 0 {
		return
	}
	b.WriteString("## Live data\n\n" +
		"What a subscription reads when it begins, strongly consistent where DynamoDB can: indexes are not. Its events\n" +
		"come from the stream of the table, with the item. An event reads only what is selected below the item.\n\n")
	b.WriteString("| Field | Live data of | Request | Key condition | First state | Read units at worst |\n" +
		"| --- | --- | --- | --- | --- | --- |\n")
	for _, f := range s.Live {
		fmt.Fprintf(b, "| `%s` | `%s` | %s | %s | %s | %s |\n", f.Coordinate(), f.Live.Coordinate(), request(f),
			s.KeyCondition(f), answer(f), s.readUnits(f, true)+s.itemUnits(f, true))
	}
	b.WriteString("\n")
}
