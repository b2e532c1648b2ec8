package local

import "encoding/binary"

// Types of the pages of a tree.
const (
	indexInterior = 2
	tableInterior = 5
	indexLeaf     = 10
	tableLeaf     = 13
)

// tree checks the tree of a table or an index. It calls record with each row of a table, unless record is nil.
func (d *database) tree(root uint32, record func([]byte) error) error {
	type node struct {
		page  uint32
		index bool
	}
	next := []node{{page: root}}
	for isRoot := true; len(next) > 0; isRoot = false {
		n := next[len(next)-1]
		next = next[:len(next)-1]
		page, err := d.page(n.page, 0)
		if err != nil {
			return err
		}
		if n.page == 1 {
			page = page[databaseHeader:]
		}
		kind := page[0]
		isIndex, isInterior := kind == indexInterior || kind == indexLeaf, kind == indexInterior || kind == tableInterior
		if !isIndex && kind != tableInterior && kind != tableLeaf || !isRoot && isIndex != n.index {
			return damaged(n.page)
		}
		header := 8
		if isInterior {
			header = 12
			next = append(next, node{binary.BigEndian.Uint32(page[8:]), isIndex})
		}
		cells := int(binary.BigEndian.Uint16(page[3:]))
		begin := header + 2*cells
		if begin > len(page) {
			return damaged(n.page)
		}
		for i := range cells {
			at := int(binary.BigEndian.Uint16(page[header+2*i:])) - (d.usable - len(page)) // counted from the page's begin
			if at < begin || at > len(page)-4 {
				return damaged(n.page)
			}
			cell := page[at:]
			if isInterior {
				next = append(next, node{binary.BigEndian.Uint32(cell), isIndex})
				cell = cell[4:]
			}
			if kind == tableInterior { // a key without a row
				continue
			}
			row, ok, err := d.payload(cell, kind)
			if err != nil {
				return err
			}
			if !ok {
				return damaged(n.page)
			}
			if record != nil && kind == tableLeaf {
				if err := record(row); err != nil {
					return damaged(n.page)
				}
			}
		}
	}
	return nil
}

// payload returns the content of a cell, with that on overflow pages.
func (d *database) payload(cell []byte, kind byte) (content []byte, ok bool, err error) {
	size, n := varint(cell)
	if n == 0 {
		return nil, false, nil
	}
	cell = cell[n:]
	most := d.usable - 35 // of a cell without overflow
	if kind == tableLeaf {
		if _, n = varint(cell); n == 0 { // the row's number
			return nil, false, nil
		}
		cell = cell[n:]
	} else {
		most = (d.usable-12)*64/255 - 23
	}
	if size > uint64(d.pages)*uint64(d.usable) {
		return nil, false, nil
	}
	inCell := int(size)
	if inCell > most {
		least := (d.usable-12)*32/255 - 23
		if inCell = least + (int(size)-least)%(d.usable-4); inCell > most {
			inCell = least
		}
	}
	overflows := inCell < int(size)
	if len(cell) < inCell || overflows && len(cell) < inCell+4 {
		return nil, false, nil
	}
	content = cell[:inCell:inCell]
	if !overflows {
		return content, true, nil
	}
	next := binary.BigEndian.Uint32(cell[inCell:])
	for len(content) < int(size) {
		page, err := d.page(next, 1)
		if err != nil {
			return nil, false, err
		}
		next = binary.BigEndian.Uint32(page)
		content = append(content, page[4:min(len(page), 4+int(size)-len(content))]...)
	}
	return content, next == 0, nil
}
