package examples

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/viewer"
)

// TestWalletCrowd lets many users transfer, freeze and close accounts at the same time, while the table throttles and
// loses answers. The sum of all balances is what the bank has paid in, no account is below its limit, and a closed one
// is empty. That each balance is the sum of its entries is what `table check` says.
func TestWalletCrowd(t *testing.T) {
	t.Parallel()
	s := exampletest.Open(t, "wallet").Serve(t)
	bank := viewer.Viewer{ID: "bank", Roles: []string{"ADMIN"}}
	users, accounts := make([]string, crowdSize), make([]string, crowdSize)
	for i := range users {
		users[i] = fmt.Sprintf("user%d", i)
	}
	const paidIn = 1000
	each(users, func(i int, user string) {
		body := s.SendAs(t, viewer.Viewer{ID: user}, `mutation { openAccount(input: { name: "x" }) { account { id } } }`)
		var answer struct {
			Data struct {
				OpenAccount struct{ Account struct{ ID string } }
			}
		}
		if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Data.OpenAccount.Account.ID == "" {
			t.Error(body, err)
		}
		accounts[i] = answer.Data.OpenAccount.Account.ID
		s.SendAs(t, bank, fmt.Sprintf(`mutation { deposit(input: { accountId: %q, amount: %d }) { userErrors { code } } }`,
			accounts[i], paidIn))
	})
	s.Engine.Proxy.Inject(tabletest.Faults{Throttled: 0.05, Failed: 0.02, Conflict: 0.05, Lost: 0.03})
	each(users, func(i int, user string) {
		send := func(v viewer.Viewer, format string, values ...any) {
			s.SendAs(t, v, fmt.Sprintf("mutation { "+format+" { userErrors { code } } }", values...))
		}
		for n := range 4 {
			send(viewer.Viewer{ID: user}, `transfer(input: { fromId: %q, toId: %q, amount: %d, idempotencyKey: "%d" })`,
				accounts[i], accounts[(i%8+7*n+1)%crowdSize], 300+i, n)
			switch i % 8 {
			case 0:
				send(bank, []string{`freeze(input: { id: %q })`, `unfreeze(input: { id: %q })`}[n%2], accounts[(i+n)%crowdSize])
			case 1:
				send(viewer.Viewer{ID: user}, `closeAccount(input: { id: %q })`, accounts[i])
			}
		}
	})
	s.Engine.Proxy.Inject(tabletest.Faults{})
	sum := 0
	for _, id := range accounts {
		body := s.SendAs(t, bank, fmt.Sprintf(`{ account(id: %q) { balance limit state } }`, id))
		var answer struct {
			Data struct {
				Account struct {
					Balance, Limit int
					State          string
				}
			}
		}
		if err := json.Unmarshal([]byte(body), &answer); err != nil || strings.Contains(body, "errors") {
			t.Fatal(body, err)
		}
		a := answer.Data.Account
		if sum += a.Balance; a.Balance < a.Limit || a.State == "CLOSED" && a.Balance != 0 {
			t.Errorf("%+v", a)
		}
	}
	if sum != paidIn*crowdSize {
		t.Errorf("there are %d instead of %d", sum, paidIn*crowdSize)
	}
	s.Check(t)
}
