package table

import (
	"slices"

	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// throttledRead adds to the throttles of a read which partitions they are about. Keys that are left unprocessed have
// been throttled as well, unless the response is full. The request has the keys of the table.
func (t *Table) throttledRead(r any, result *request.Result) {
	if len(result.Throttled) == 0 && len(result.Unprocessed) == 0 {
		return
	}
	index, partitions := "", []string(nil)
	switch r := r.(type) {
	case request.GetItem:
		partitions = t.partitions("", r.Key.PK)
	case request.BatchGetItem:
		partitions = t.partitionsOf(r.Keys)
	case request.Query:
		index, partitions = r.Index, t.partitions(r.Index, r.PK)
	}
	for i := range result.Throttled {
		result.Throttled[i].Index, result.Throttled[i].Partitions = index, partitions
	}
	if len(result.Unprocessed) > 0 && !result.IsFull() {
		result.Throttled = append(result.Throttled, request.Throttle{
			Partitions: t.partitionsOf(result.Unprocessed), IsUnprocessed: true,
		})
	}
}

// throttledWrite returns the throttles of one attempt at a write: those of whole requests, and with the reasons of a
// cancelled transaction those of its actions.
func (t *Table) throttledWrite(
	w write.Transaction, sent []request.Throttle, reasons []wire.Reason,
) []request.Throttle {
	all := make([]keys.Key, len(w.Actions))
	for i, a := range w.Actions {
		all[i] = a.Key
	}
	for i := range sent {
		sent[i].Partitions = t.partitionsOf(all)
	}
	var own []keys.Key
	for i, r := range reasons {
		if i < len(all) && (r.Code == reasonThroughput || r.Code == reasonThrottling) {
			own = append(own, all[i])
		}
	}
	if len(own) > 0 {
		sent = append(sent, request.Throttle{Partitions: t.partitionsOf(own)})
	}
	return sent
}

func (t *Table) partitionsOf(all []keys.Key) []string {
	pks := make([]keys.PK, len(all))
	for i, key := range all {
		pks[i] = key.PK
	}
	return t.partitions("", pks...)
}

// partitions returns stored partition keys of an index, or of the table, as people know them, each once.
func (t *Table) partitions(index string, pks ...keys.PK) []string {
	ix := t.layout.Index(index)
	var texts []string
	for _, pk := range pks {
		if text := ix.ShowPK(pk); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}
