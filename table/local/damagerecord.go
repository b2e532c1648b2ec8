package local

import "errors"

var errNoRecord = errors.New("the record is damaged")

// rootOf returns the first page of a table or an index from its record in the schema: type, name, table, page, SQL. It
// is 0 for what has no pages.
func rootOf(record []byte) (uint32, error) {
	const rootColumn = 3
	header, n := varint(record)
	if n == 0 || header < uint64(n) || header > uint64(len(record)) {
		return 0, errNoRecord
	}
	types, values := record[n:header], record[header:]
	for column := 0; ; column++ {
		serial, n := varint(types)
		length := serialLength(serial)
		if n == 0 || length > uint64(len(values)) {
			return 0, errNoRecord
		}
		if column == rootColumn {
			var root uint64
			for _, b := range values[:length] {
				root = root<<8 | uint64(b)
			}
			if serial == 9 { // the constant 1
				root = 1
			}
			return uint32(root), nil
		}
		types, values = types[n:], values[length:]
	}
}

// serialLength returns the number of bytes of a value.
func serialLength(serial uint64) uint64 {
	switch {
	case serial >= 12: // bytes and text
		return (serial - 12) / 2
	case serial >= 8: // constants
		return 0
	case serial >= 6: // 8 bytes of an integer or a float
		return 8
	case serial == 5:
		return 6
	}
	return serial
}

// varint returns the integer at the beginning, and its length; 0 if it is cut off.
func varint(b []byte) (value uint64, length int) {
	for i, c := range b {
		if i == 8 {
			return value<<8 | uint64(c), 9
		}
		value = value<<7 | uint64(c&0x7f)
		if c < 0x80 {
			return value, i + 1
		}
	}
	return 0, 0
}
