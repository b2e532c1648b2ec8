package several_test

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestPagesOfLongNumbers: a page may end with an item whose Number key is no Int, and the next one begins behind it.
func TestPagesOfLongNumbers(t *testing.T) {
	long := []string{
		"-1E+125", "-12345678901234567890", "-1.5", "1E-130", "7", "12345678901234567890", "12345678901234567890.5", "1E+30",
	}
	all := tickets()[:len(long)]
	for i, it := range all {
		it["pk"], it["tenantId"] = map[string]string{"S": "TENANT#x"}, all[0]["tenantId"]
		it["score"] = map[string]string{"N": long[i]}
	}
	s := serve(t, all)
	for _, field := range []string{
		`byPrio(org: "x"`, fmt.Sprintf("byScore(tenantId: %q", all[0].text("tenantId")),
	} {
		for _, paging := range [][2]string{
			{"first: 1%s) { nodes { code } pageInfo { more: hasNextPage cursor: endCursor } } }", ", after: %q"},
			{"last: 1%s) { nodes { code } pageInfo { more: hasPreviousPage cursor: startCursor } } }", ", before: %q"},
		} {
			number, codes, cursor := 0, 0, ""
			for more := true; more && number <= len(long); number++ {
				body, _ := s.Send(t, "{ c: "+field+", "+fmt.Sprintf(paging[0], cursor))
				var r struct {
					Data struct {
						C struct {
							Nodes    []struct{ Code string }
							PageInfo struct {
								More   bool
								Cursor string
							}
						}
					}
				}
				if err := json.Unmarshal([]byte(body), &r); err != nil {
					t.Fatal(err)
				}
				more, cursor = r.Data.C.PageInfo.More, fmt.Sprintf(paging[1], r.Data.C.PageInfo.Cursor)
				codes += len(r.Data.C.Nodes)
			}
			if number != len(long) || codes != len(long) {
				t.Errorf("%s, %s: %d pages with %d tickets", field, paging[0][:5], number, codes)
			}
		}
	}
}
