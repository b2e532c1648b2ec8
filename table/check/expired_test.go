package check_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"
)

// TestExpiredItems: what has expired does not exist, neither as an item that could be wrong nor as one that another
// item refers to. DynamoDB deletes a base item and its copies at different times.
func TestExpiredItems(t *testing.T) {
	t.Parallel()
	expired := fmt.Sprint("ttl:=", time.Now().Unix()-60)
	lasting := fmt.Sprint("ttl:=", time.Now().Unix()+3600)
	c := sound(t)
	put := func(line ...any) { c.damage(t, "put "+fmt.Sprintln(line...)) }
	put("PERSON#a SESSION#0001 entityType=Session personId=a n:=1", expired)  // its copy is deleted
	put("SESSION#0002 SESSION#a entityType=Session personId=a n:=2", expired) // its base item is deleted
	put("PERSON#a SESSION#0003 entityType=Session personId=a", expired)
	put("CODE#1 CODE#1 entityType=Code", expired)
	e := start(t, c)
	if found := describe(e.check(t).Violations); len(found) > 0 {
		t.Errorf("found %q", found)
	}
	put("PERSON#a SESSION#0001 entityType=Session personId=a n:=1", lasting)
	put("SESSION#0001 SESSION#a entityType=Session personId=a n:=1", expired)
	e = start(t, c)
	want := []string{"COPY_MISSING SESSION#0001 SESSION#a: Session PERSON#a SESSION#0001 has no copy here\n    put it"}
	if found := describe(e.check(t).Violations); !slices.Equal(found, want) {
		t.Errorf("found %q", found)
	}
	if left := e.repair(t); !left.Clean() || len(left.Repaired) != 1 {
		t.Errorf("left %q", describe(left.Violations))
	}
}

// TestNeverExpiring: an item that DynamoDB would never delete is a violation, and is read.
func TestNeverExpiring(t *testing.T) {
	t.Parallel()
	later := time.Now().Add(time.Hour)
	c := sound(t)
	for id, ttl := range []string{
		fmt.Sprint(":=", later.Unix()), fmt.Sprint(":=", later.UnixMilli()), "=2099-01-01T00:00:00Z", ":=0",
	} {
		c.damage(t, fmt.Sprintf("put PERSON#a SESSION#%04d entityType=Session personId=a n:=%[1]d ttl%s", id, ttl))
		c.damage(t, fmt.Sprintf("put SESSION#%04d SESSION#a entityType=Session personId=a n:=%[1]d ttl%s", id, ttl))
	}
	e := start(t, c)
	want := []string{
		"EXPIRY_WRONG PERSON#a SESSION#0001: ttl is " + strconv.FormatInt(later.UnixMilli(), 10) +
			", which may be milliseconds: DynamoDB deletes items by seconds since 1970",
		"EXPIRY_WRONG PERSON#a SESSION#0002: ttl is a String: DynamoDB deletes items by a Number of seconds since 1970",
	}
	if found := describe(e.check(t).Violations); !slices.Equal(found, want) {
		t.Errorf("found %q", found)
	}
}
