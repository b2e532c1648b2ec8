package docstest

import "testing"

// TestBill follows docs/how-to/bill.md: it runs the commands of the language bash, and compares what they print.
func TestBill(t *testing.T) {
	reader := &reader{dir: t.TempDir()}
	blocks := readPage(t, "docs/how-to/bill.md")
	compared := 0
	for i, b := range blocks {
		switch {
		case b.language == "sh" && blocks[i+1].language == "":
			reader.run(t, b.text, blocks[i+1].text)
			compared++
		case b.language == "sh":
			reader.must(t, b.text)
		}
	}
	if compared != 7 {
		t.Errorf("the output of %d commands was compared", compared)
	}
}
