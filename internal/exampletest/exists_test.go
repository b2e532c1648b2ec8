package exampletest_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/partita/partita/internal/exampletest"
)

// TestExistsOfMany: while an object is deleted, many callers write others that refer to it. Each reference is written
// before the deletion, or rejected after it.
func TestExistsOfMany(t *testing.T) {
	t.Parallel()
	const callers, booksBefore = 9, 20
	var written, deleting, deleted atomic.Int32
	s := many(t, "testdata/references", callers, func(s *exampletest.Service, n int) {
		if n == 0 {
			for written.Load() < booksBefore {
				if mutate(t, s, `updateBook(input: { id: "Book:x", previousId: null })`); t.Failed() {
					return
				}
			}
			deleting.Store(1)
			for body := `"errors":`; busy.MatchString(body); {
				body = mutate(t, s, `deleteAuthor(input: { id: "Author:b" })`)
			}
			deleted.Store(1)
			return
		}
		for !t.Failed() {
			wasDeleted := deleted.Load() == 1
			body := mutate(t, s, `createBook(input: { authorId: "Author:a", editorId: "Author:b" })`)
			switch {
			case strings.Contains(body, `"userErrors":[]`):
				if written.Add(1); wasDeleted {
					t.Errorf("a book refers to an author who has been deleted: %s", body)
				}
			case strings.Contains(body, `"NOT_FOUND"`):
				if deleting.Load() == 0 {
					t.Errorf("the author is there: %s", body)
				}
				return
			case !busy.MatchString(body):
				t.Errorf("got %s", body)
			}
		}
	})
	// Without faults, each author who has books is kept, and none is given to one who has been deleted.
	if body := mutate(t, s, `deleteAuthor(input: { id: "Author:a" })`); strings.Contains(body, `"userErrors":[]`) {
		t.Errorf("an author with books is deleted: %s", body)
	}
	body := mutate(t, s, `updateBook(input: { id: "Book:x", editorId: "Author:b" })`)
	if !strings.Contains(body, "NOT_FOUND") {
		t.Errorf("got %s", body)
	}
}
