package local

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// A database is the engine's SQLite file. Its check is that of the pragma quick_check without the order of rows: each
// page of each table and index can be read, and belongs to one of them alone. The engine itself reports a damaged page
// only when an operation needs it. A library with the pragma would add all of SQLite to each gateway.
//
// https://www.sqlite.org/fileformat2.html
type database struct {
	file   io.ReaderAt
	size   int    // of a page
	usable int    // bytes of a page without those that are reserved at its end
	pages  uint32 // numbered from 1
	used   []bool // by number
	// buffers has one for a page of a tree and one for a page that a row continues on.
	buffers [2][]byte
}

const (
	databaseHeader = 100 // bytes of the file's header, at the beginning of page 1
	databaseMagic  = "SQLite format 3\x00"
)

// checkDatabase returns an error that describes the damage of a database, nil if there is none. No other process may
// have the file open, and there must be no write-ahead log.
func checkDatabase(path string) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() == 0 {
		return errors.New("it is empty")
	}
	header := make([]byte, databaseHeader) // stays zero beyond the end of the file
	if _, err := file.ReadAt(header, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	d := &database{
		file: file, size: int(binary.BigEndian.Uint16(header[16:])), pages: binary.BigEndian.Uint32(header[28:]),
	}
	if d.size == 1 {
		d.size = 1 << 16
	}
	d.usable = d.size - int(header[20])
	if string(header[:len(databaseMagic)]) != databaseMagic || d.size < 512 || d.size&(d.size-1) != 0 || d.usable < 480 {
		return errors.New("it is not a valid SQLite database")
	}
	if wanted := int64(d.pages) * int64(d.size); d.pages == 0 || info.Size() < wanted {
		return fmt.Errorf("it has %d bytes of %d", info.Size(), wanted)
	}
	d.used = make([]bool, d.pages+1)
	d.buffers = [2][]byte{make([]byte, d.size), make([]byte, d.size)}
	return d.check(binary.BigEndian.Uint32(header[32:]))
}

// check visits all pages: those of the schema, which begins at page 1, of the tables and indexes in it, and free ones.
func (d *database) check(free uint32) error {
	var roots []uint32
	err := d.tree(1, func(record []byte) error {
		root, err := rootOf(record)
		roots = append(roots, root)
		return err
	})
	if err != nil {
		return fmt.Errorf("the schema: %w", err)
	}
	for _, root := range roots {
		if root == 0 { // a view or a trigger
			continue
		}
		if err := d.tree(root, nil); err != nil {
			return err
		}
	}
	for free != 0 {
		page, err := d.page(free, 0)
		if err != nil {
			return fmt.Errorf("the list of free pages: %w", err)
		}
		leaves := int(binary.BigEndian.Uint32(page[4:]))
		if leaves > d.usable/4-2 {
			return damaged(free)
		}
		for i := range leaves {
			if err := d.use(binary.BigEndian.Uint32(page[8+4*i:])); err != nil {
				return fmt.Errorf("the list of free pages: %w", err)
			}
		}
		free = binary.BigEndian.Uint32(page)
	}
	return nil
}

// use notes that a page is used.
func (d *database) use(number uint32) error {
	switch {
	case number == 0 || number > d.pages:
		return fmt.Errorf("page %d does not exist", number)
	case d.used[number]:
		return fmt.Errorf("page %d is used twice", number)
	}
	d.used[number] = true
	return nil
}

// page returns the content of a page that has not been used yet. The next call with the same buffer overwrites it.
func (d *database) page(number uint32, buffer int) ([]byte, error) {
	if err := d.use(number); err != nil {
		return nil, err
	}
	page := d.buffers[buffer]
	if _, err := d.file.ReadAt(page, int64(number-1)*int64(d.size)); err != nil {
		return nil, fmt.Errorf("page %d: %w", number, err)
	}
	return page[:d.usable], nil
}

func damaged(page uint32) error { return fmt.Errorf("page %d is damaged", page) }
