// Package amazon has what Amazon DynamoDB does and the local engine does not, for the proxy of the tests: limits of
// partition keys, indexes that are late, and indexes that are being filled.
//
// The Limiter reads the items of a write before and after it. What it does not do: an entry that a change removes from
// an index is gone at once, Scan has no limit, a key of a batch counts as an item of 4 KB, and a partition has one key.
package amazon

import (
	"cmp"
	"os"
	"strconv"
	"strings"
	"time"
)

// Limits are those of a table.
type Limits struct {
	// ReadUnits and WriteUnits are how much each partition key of the table and of each global index may consume in a
	// second. What is not used can be used in the next one. 0 is no limit; Amazon's are 3,000 and 1,000.
	//
	// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
	ReadUnits, WriteUnits float64
	// Contended is the same as that of tabletest.Faults.
	Contended bool
	// IndexDelay is after which time a Query of a global index finds what has been written.
	IndexDelay time.Duration
	// Filling is how many DescribeTable requests find an index that UpdateTable has created still being filled. Until
	// then it cannot be read, and no other can be created.
	Filling int
}

// pressure is the variable of the environment with which the tests of a package run as on a table that is used too
// much: the write units of Limits, and after a comma the delay of indexes, such as 100,50ms. With a delay, a test that
// reads an index after a write has to read again until it finds that.
const pressure = "PRESSURE"

// Environment returns the limits of the environment, none by default.
func Environment() Limits {
	text, delay, _ := strings.Cut(os.Getenv(pressure), ",")
	if text == "" {
		return Limits{}
	}
	units, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(pressure + ": " + err.Error())
	}
	l := Limits{ReadUnits: 3 * units, WriteUnits: units, Contended: true, Filling: 2}
	if l.IndexDelay, err = time.ParseDuration(cmp.Or(delay, "0")); err != nil {
		panic(pressure + ": " + err.Error())
	}
	return l
}

// limit returns the units of a partition key in a second.
func (l Limits) limit(isWrite bool) float64 {
	if isWrite {
		return l.WriteUnits
	}
	return l.ReadUnits
}
