package hotkeys

import (
	"cmp"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"sync"
	"time"
)

// Size is how many keys a Sketch remembers. DynamoDB's have at most 2 KB.
const Size = 64 // bits of a word

// step is how often what was counted fades.
const step = time.Second

// Count is what a Sketch has of one key.
type Count struct {
	// Index is the index that the partition key is of, "" for the table.
	Index, Key string
	// Most is how much the key has at most, and Error how much of that may be of other keys.
	Most, Error float64
}

// Least returns how much the key has at least.
func (c Count) Least() float64 { return c.Most - c.Error }

// Sketch counts amounts for each key, by the algorithm Space-Saving: a key that is not among those that are remembered
// replaces the one with the smallest count, and takes that over as its error. Of a total n, each key with more than
// n/Size is remembered, and no error is greater than that. The zero Sketch is ready for use, and its methods may be
// called concurrently.
//
// Metwally, Agrawal, El Abbadi: Efficient Computation of Frequent and Top-k Elements in Data Streams, ICDT 2005:
// https://doi.org/10.1007/978-3-540-30570-5_27
//
// The bound holds for amounts as it does for ones (Berinde, Indyk, Cormode, Strauss: Space-optimal Heavy Hitters with
// Strong Error Bounds, TODS 2010: https://doi.org/10.1145/1862919.1862923), and when all counts, their errors and with
// them the total are multiplied by the same number, as they are when they fade.
type Sketch struct {
	// Fading is after which time what was counted is 1/e of it; 0 if it does not fade. A key that has a constant amount
	// each second has then Fading in seconds times that, give or take one second's.
	Fading time.Duration

	mu     sync.Mutex
	used   int
	counts [Size]float64
	slots  [Size]slot
	// first has for each remainder of a hash the slot after whose place is that of the first key with it, or 0. Each slot
	// has the next one.
	first [2 * Size]uint8
	// rest has the bits of the slots that still have the smallest count, as it was when it was last looked for. With many
	// cold keys, these are many: not each key needs a search.
	rest  uint64
	faded time.Time
}

// slot is what is remembered of a key besides its count. The text is a copy: a key can be a part of a whole response.
type slot struct {
	index string
	text  []byte
	err   float64
	hash  uint64
	next  uint8
}

var seed = maphash.MakeSeed()

// Add counts an amount for a partition key of an index, or with "" of the table. It reports whether what was counted
// before has faded by that, which it does at most once a second.
func (s *Sketch) Add(index, key string, amount float64) (hasFaded bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hasFaded = s.fade()
	s.add(index, key, amount)
	return hasFaded
}

// AddAll is Add for the same amount of n keys, which a function returns: unlike an iterator, it needs no allocation.
func (s *Sketch) AddAll(index string, n int, key func(int) string, amount float64) (hasFaded bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hasFaded = s.fade()
	for i := range n {
		s.add(index, key(i), amount)
	}
	return hasFaded
}

func (s *Sketch) add(index, key string, amount float64) {
	hash := maphash.String(seed, key)
	i, isKnown := s.find(hash, index, key)
	if !isKnown {
		i = s.place()
		at := &s.slots[i]
		at.hash, at.index, at.err, at.text = hash, index, s.counts[i], append(at.text[:0], key...)
		first := &s.first[hash%uint64(len(s.first))]
		at.next, *first = *first, uint8(i+1)
	}
	s.counts[i] += amount
	s.rest &^= 1 << i
}

func (s *Sketch) find(hash uint64, index, key string) (i int, isKnown bool) {
	for n := s.first[hash%uint64(len(s.first))]; n != 0; n = s.slots[n-1].next {
		if at := &s.slots[n-1]; at.hash == hash && at.index == index && string(at.text) == key {
			return int(n - 1), true
		}
	}
	return 0, false
}

// place returns the slot of a new key: a free one, or the one with the smallest count.
func (s *Sketch) place() int {
	if s.used < Size {
		s.used++
		return s.used - 1
	}
	if s.rest == 0 {
		s.findSmallest()
	}
	i := bits.TrailingZeros64(s.rest)
	to := &s.first[s.slots[i].hash%uint64(len(s.first))]
	for *to != uint8(i+1) {
		to = &s.slots[*to-1].next
	}
	*to = s.slots[i].next
	return i
}

// findSmallest sets rest, and returns the smallest count.
func (s *Sketch) findSmallest() float64 {
	smallest := s.counts[0]
	for i, c := range s.counts {
		if c < smallest {
			smallest, s.rest = c, 0
		}
		if c == smallest {
			s.rest |= 1 << i
		}
	}
	return smallest
}

// fade lets what was counted before count less, once it is a second old.
func (s *Sketch) fade() bool {
	if s.Fading == 0 {
		return false
	}
	now := time.Now()
	passed := now.Sub(s.faded)
	if passed < step {
		return false
	}
	s.faded = now
	remains := math.Exp(-passed.Seconds() / s.Fading.Seconds())
	for i := range s.used {
		s.counts[i] *= remains
		s.slots[i].err *= remains
	}
	return true
}

// Top returns at most n keys, first those that have most as far as that is certain, and how much each key of all may
// have beyond what is certain.
func (s *Sketch) Top(n int) (top []Count, missing float64) {
	all, missing := s.all()
	slices.SortFunc(all, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Least(), a.Least()), cmp.Compare(b.Most, a.Most),
			cmp.Compare(a.Index, b.Index), cmp.Compare(a.Key, b.Key))
	})
	return all[:min(len(all), n)], missing
}

func (s *Sketch) all() (all []Count, missing float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fade()
	for i, at := range s.slots[:s.used] {
		all = append(all, Count{Index: at.index, Key: string(at.text), Most: s.counts[i], Error: at.err})
	}
	if s.used == Size {
		missing = s.findSmallest()
	}
	return all, missing
}
