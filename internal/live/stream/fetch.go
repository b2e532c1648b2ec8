package stream

import (
	"context"

	"github.com/klauspost/compress/s2"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/item"
)

// Fetch implements live.Reader.
func (r *Reader) Fetch(away []*live.Away) ([]live.Items, error) {
	images, err := fetch(r.options.Store, away)
	if err != nil {
		r.fetchFailed.Do(func() {
			r.log.Warn("items that another replica has published cannot be fetched; they are read from the stream of the table",
				"error", err.Error())
		})
		return nil, live.ErrGone
	}
	schema := r.table.Schema()
	layout := schema.Layout()
	items := make([]live.Items, len(images))
	for i := range images {
		var c live.Change
		images[i].fill(&c, &schema, layout)
		items[i] = live.Items{Old: c.Old, New: c.New}
	}
	return items, nil
}

// fetch returns records with the items of changes, as they are stored.
func fetch(store *replicas.Store, away []*live.Away) ([]record, error) {
	parts := make([]replicas.Part, len(away))
	for i, a := range away {
		parts[i] = replicas.Part{Key: a.Text, From: a.From, Bytes: a.Bytes}
	}
	blocks, err := store.Parts(context.Background(), parts)
	if err != nil {
		return nil, err
	}
	records := make([]record, len(away))
	for i, a := range away {
		if err := records[i].decode(blocks[i], a.Old); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// decode sets the items of a record to those in a block: the old one has the first bytes of its decompressed text.
func (r *record) decode(block string, old int) error {
	images, err := s2.Decode(nil, []byte(block))
	if err != nil || old > len(images) {
		return errEntry
	}
	text := string(images)
	if r.old, err = parseImage(text[:old]); err == nil {
		r.new, err = parseImage(text[old:])
	}
	if err == nil && r.stored() == nil {
		err = errEntry
	}
	return err
}

func parseImage(text string) (item.Item, error) {
	if text == "" {
		return nil, nil
	}
	return wire.ParseItem(text)
}
