package local

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
)

// pageSize is the engine's.
const pageSize = 4096

// stored returns the engine's file with a number of items of a size, after a change.
func stored(t *testing.T, items, size int, change func(*Table)) (path string, content []byte) {
	t.Helper()
	s := Settings{DataDir: t.TempDir(), Engine: os.Getenv("DYNOXIDE")}
	s.Seed = func(yield func(item.Item) bool) {
		for i := range items {
			key := fmt.Sprintf("%06d", i)
			if !yield(item.Item{
				{Name: keys.AttributePK, Value: item.StringValue("PK" + key[:4])},
				{Name: keys.AttributeSK, Value: item.StringValue(key)},
				{Name: keys.IndexPK("GSI1"), Value: item.StringValue("ALL")},
				{Name: keys.IndexSK("GSI1"), Value: item.StringValue(key)},
				{Name: "text", Value: item.StringValue(strings.Repeat("x", size))},
			}) {
				return
			}
		}
	}
	opened, err := Open(t.Context(), s, table.Schema{Indexes: []string{"GSI1"}}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(opened)
	}
	if err := opened.Close(); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(s.DataDir, databaseFile)
	if content, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return path, content
}

func overwrite(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// wantDamage overwrites each page with garbage, in copies of their own. All damage must be found.
func wantDamage(t *testing.T, path string, content []byte) {
	t.Helper()
	for name, garbage := range map[string]string{"zeros": "\x00", "text": "garbage "} {
		for number := 1; number <= len(content)/pageSize; number++ {
			copied := bytes.Clone(content)
			copy(copied[(number-1)*pageSize:], strings.Repeat(garbage, pageSize/len(garbage)))
			overwrite(t, path, copied)
			if err := checkDatabase(path); err == nil {
				t.Errorf("page %d of %d overwritten with %s is not found", number, len(content)/pageSize, name)
			}
		}
	}
}

func TestUndamagedDatabase(t *testing.T) {
	for _, size := range []int{0, 100, 3000, 5000, 100_000} {
		path, content := stored(t, 60, size, nil)
		if err := checkDatabase(path); err != nil {
			t.Errorf("with items of %d bytes: %v", size, err)
		}
		overwrite(t, path, append(content, make([]byte, 3*pageSize)...)) // SQLite may allocate more than it uses
		if err := checkDatabase(path); err != nil {
			t.Errorf("with unused space: %v", err)
		}
	}
}

// All pages of this database are parts of trees.
func TestEachDamagedPageIsFound(t *testing.T) {
	path, content := stored(t, 300, 200, nil)
	wantDamage(t, path, content)
	for _, size := range []int{0, 50, 100, pageSize, len(content) / 2, len(content) - pageSize, len(content) - 1} {
		overwrite(t, path, content[:size])
		if err := checkDatabase(path); err == nil {
			t.Errorf("cut off after %d of %d bytes", size, len(content))
		}
	}
}

func TestDamagedListOfFreePagesIsFound(t *testing.T) {
	path, content := stored(t, 300, 200, func(opened *Table) {
		in := &dynamodb.DeleteTableInput{TableName: aws.String(opened.Name())}
		if _, err := opened.Client().DeleteTable(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	})
	if err := checkDatabase(path); err != nil {
		t.Fatal(err)
	}
	first := int(binary.BigEndian.Uint32(content[32:]))
	copy(content[(first-1)*pageSize:], "garbage garbage")
	overwrite(t, path, content)
	if err := checkDatabase(path); err == nil {
		t.Errorf("page %d overwritten with text is not found", first)
	}
}

func TestDamageOfLongRowIsFound(t *testing.T) {
	path, content := stored(t, 1, 20_000, nil)
	var found int
	for number := 1; number <= len(content)/pageSize; number++ {
		page := content[(number-1)*pageSize : number*pageSize]
		if strings.Count(string(page), "x") < pageSize-4 || binary.BigEndian.Uint32(page) == 0 {
			continue // no page that a row continues on, or the last one of a row
		}
		found++
		copied := bytes.Clone(content)
		copy(copied[(number-1)*pageSize:], "\xff\xff\xff\xff")
		overwrite(t, path, copied)
		if err := checkDatabase(path); err == nil {
			t.Errorf("page %d overwritten is not found", number)
		}
	}
	if found == 0 {
		t.Error("the row has one page")
	}
}

// TestCycleOfPagesIsFound: a page that leads back to itself ends the check.
func TestCycleOfPagesIsFound(t *testing.T) {
	path, content := stored(t, 300, 200, nil)
	found := 0
	for number := 2; number <= len(content)/pageSize; number++ {
		page := content[(number-1)*pageSize:]
		if page[0] != tableInterior && page[0] != indexInterior {
			continue
		}
		found++
		copied := bytes.Clone(content)
		binary.BigEndian.PutUint32(copied[(number-1)*pageSize+8:], uint32(number))
		overwrite(t, path, copied)
		if err := checkDatabase(path); err == nil {
			t.Errorf("page %d leads to itself, which is not found", number)
		}
	}
	if found == 0 {
		t.Error("no tree has two levels")
	}
}
