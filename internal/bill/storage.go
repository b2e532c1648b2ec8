package bill

import (
	"errors"
	"math/big"
	"strings"
)

// Period is a part of a month, for which storage and streams are paid.
type Period struct {
	// Month is such as 2026-11; "" for any month of 30 days.
	Month string
	// Seconds are those of the period, Of those of the month.
	Seconds, Of int64
}

// MonthSeconds are those of a month of 30 days, as AWS has them in its examples.
const MonthSeconds = 30 * 24 * 60 * 60

func (p Period) part() *big.Rat { return big.NewRat(p.Seconds, p.Of) }

// Stored is how much a table, or one of its indexes, stores.
type Stored struct {
	// Index is the name of the index, "" for the table itself.
	Index string
	// IsGlobal is set for a global index, which is in no backup, and has capacity of its own.
	IsGlobal bool
	Bytes    int64
}

// overhead is what each item, and each entry of an index, takes beyond its size.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
const overhead = 100

// gigabyte is that of AWS's bills: the example of its price page has 42,177,000 KB as 40.22 GB.
const gigabyte = 1 << 30

// Storage adds what is stored to the bill of each period. What is free is subtracted in the order of what is stored, in
// proportion to the period.
func (b *Bill) Storage(stored []Stored, periods []Period) {
	for _, p := range periods {
		c := Charge{Item: ItemStorage, Key: Key{Month: p.Month}}
		free := new(big.Rat).Mul(b.class.FreeStorage.n, p.part())
		for _, s := range stored {
			size := new(big.Rat).Mul(big.NewRat(s.Bytes, gigabyte), p.part())
			part := Part{Resource: resourceOf(s.Index), Amount: b.class.Storage.of(beyond(size, free), 1)}
			part.GBMonths, _ = quantityOf(size)
			c.Parts = append(c.Parts, part)
		}
		b.add(c)
	}
}

// PointInTime adds the point-in-time recovery of a table to the bill of each period. It is paid for as much as the
// table and its local indexes store, however far it goes back.
func (b *Bill) PointInTime(stored []Stored, periods []Period) {
	var bytes int64
	for _, s := range stored {
		if !s.IsGlobal {
			bytes += s.Bytes
		}
	}
	b.backup(ItemPointInTime, bytes, b.prices.Backups.PointInTime, periods)
}

// OnDemandBackups adds backups that somebody has made, of so many bytes together, to the bill of each period.
func (b *Bill) OnDemandBackups(bytes int64, periods []Period) {
	b.backup(ItemBackups, bytes, b.prices.Backups.OnDemand, periods)
}

func (b *Bill) backup(item string, bytes int64, price Price, periods []Period) {
	for _, p := range periods {
		size := new(big.Rat).Mul(big.NewRat(bytes, gigabyte), p.part())
		c := Charge{Item: item, Key: Key{Month: p.Month}, Amount: price.of(size, 1)}
		c.GBMonths, _ = quantityOf(size)
		b.add(c)
	}
}

// beyond returns by how much a size exceeds what is free, and takes the rest from what is free.
func beyond(size, free *big.Rat) *big.Rat {
	if size.Cmp(free) <= 0 {
		free.Sub(free, size)
		return new(big.Rat)
	}
	more := new(big.Rat).Sub(size, free)
	free.SetInt64(0)
	return more
}

// StreamReads adds requests of GetRecords in a period. What is free is subtracted in proportion to the period, and for
// a period of unknown length, without seconds, not at all.
func (b *Bill) StreamReads(reads Quantity, p Period) {
	paid := reads.rat()
	if p.Seconds > 0 {
		paid = beyond(paid, new(big.Rat).Mul(b.prices.Streams.FreeReads.n, p.part()))
	}
	c := Charge{Item: ItemStreams, Key: Key{Month: p.Month}, StreamReads: reads}
	c.Amount = b.prices.Streams.Reads.of(paid, 1e6)
	b.add(c)
}

// ShardReads adds the requests that read shards of a stream continuously, so many in each second of each of them.
func (b *Bill) ShardReads(shards, perSecond int64, periods []Period) {
	for _, p := range periods {
		b.StreamReads(Quantity(1000*shards*perSecond*p.Seconds), p)
	}
}

// Size is a number of bytes that is written as 27GB.
type Size struct{ Bytes int64 }

// UnmarshalText reads a size such as 800MB or 27.5GB; a KB has 1024 bytes. It includes what each item takes beyond its
// size.
func (s *Size) UnmarshalText(text []byte) error {
	number := strings.TrimRight(string(text), "KMGTB ")
	bytes, known := map[string]int64{
		"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": gigabyte, "TB": 1 << 40,
	}[strings.TrimSpace(string(text[len(number):]))]
	n, is := parseDecimal(number)
	if is && known {
		n.Mul(n, big.NewRat(bytes, 1))
		if all, fits := rounded(n); fits && all < 1<<60 {
			s.Bytes = all
			return nil
		}
	}
	return errors.New(`"` + string(text) + `" is no size: write it as 800MB, 27.5GB or 1TB`)
}
