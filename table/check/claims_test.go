package check_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// accounts is a design with a unique attribute, and a mutation with an idempotency key.
var accounts = design.MustDesign(nil, []*design.Type{{
	Name: "Account", Identity: []string{"id"}, MaxBytes: 512, Item: shape("ACCOUNT#{id}", "ACCOUNT#{id}"),
	Attributes: []design.Attribute{
		id("id", "Account"), {Name: "email", Kind: keys.String}, {Name: "state", Kind: keys.Enum},
	},
	Uniques: []design.Unique{{
		Attribute: "email", Key: keys.MustTemplate("EMAIL#{email}"), IgnoreCase: true, Claim: "EmailClaim",
		Holder: "accountId", Where: predicate.MustParse("state != GONE"),
	}},
}}, nil).WithMutations([]*design.Mutation{{Name: "createAccount", Type: "Account", HasIdempotencyKey: true}}, nil)

// TestClaims: each damage of claims is found, and repaired if it is certain what is right.
func TestClaims(t *testing.T) {
	t.Parallel()
	in := func(d time.Duration) int64 { return time.Now().Add(d).Unix() }
	for name, tt := range map[string]struct {
		damage []string
		want   []string
		left   int
	}{
		"none": {},
		"no claim": {
			damage: []string{"delete EMAIL#strasse EMAIL#strasse"},
			want:   []string{"CLAIM_MISSING ACCOUNT#a ACCOUNT#a: nothing claims Straße for this Account\n    put the claim"},
		},
		"the claim of nobody": {
			damage: []string{"put EMAIL#x EMAIL#x entityType=EmailClaim accountId=x"},
			want:   []string{"CLAIM_ORPHAN EMAIL#x EMAIL#x: the Account ACCOUNT#x does not exist\n    delete it"},
		},
		"a claim without a holder": {
			damage: []string{"put EMAIL#x EMAIL#x entityType=EmailClaim"},
			want: []string{
				"CLAIM_ORPHAN EMAIL#x EMAIL#x: the claim names no Account, and it is not known who has the value",
			},
			left: 1,
		},
		"the claim of another value": {
			damage: []string{"put EMAIL#x EMAIL#x entityType=EmailClaim accountId=a"},
			want: []string{
				"CLAIM_ORPHAN EMAIL#x EMAIL#x: the Account ACCOUNT#a does not have this email, or not where state != GONE" +
					"\n    delete it",
			},
		},
		"a claim by another one": {
			damage: []string{"set EMAIL#strasse EMAIL#strasse accountId=b"},
			want: []string{
				"CLAIM_ORPHAN EMAIL#strasse EMAIL#strasse: the Account ACCOUNT#b does not have this email, " +
					"or not where state != GONE\n    delete it",
				"CLAIM_WRONG ACCOUNT#a ACCOUNT#a: Straße is claimed for another Account, ACCOUNT#b\n    claim it for this Account",
			},
		},
		"two with one value": {
			damage: []string{"set ACCOUNT#b ACCOUNT#b email=STRASSE"},
			want:   []string{"CLAIM_WRONG ACCOUNT#b ACCOUNT#b: STRASSE is claimed for another Account, ACCOUNT#a"},
			left:   1,
		},
		"a value that is no part of a key": {
			damage: []string{"set ACCOUNT#b ACCOUNT#b email=a#b"},
			want: []string{
				"ITEM_INVALID ACCOUNT#b ACCOUNT#b: nothing can claim this email: " +
					"email must not contain '#' or a control character",
			},
			left: 1,
		},
		"a claim without its condition": {
			damage: []string{"set ACCOUNT#a ACCOUNT#a state=GONE"},
			want: []string{
				"CLAIM_ORPHAN EMAIL#strasse EMAIL#strasse: the Account ACCOUNT#a does not have this email, " +
					"or not where state != GONE\n    delete it",
			},
		},
		"no claim without the condition": {
			damage: []string{"set ACCOUNT#b ACCOUNT#b state=GONE", "set ACCOUNT#b ACCOUNT#b email=STRASSE"},
		},
		"idempotency keys": {
			damage: []string{
				fmt.Sprint("put ONCE#m#1 ONCE#m#1 entityType=IdempotencyClaim createdId=x expiresAt:=", in(time.Hour)),
				fmt.Sprint("put ONCE#m#2 ONCE#m#2 entityType=IdempotencyClaim createdId=x expiresAt:=", in(-time.Hour)),
				fmt.Sprint("put ONCE#m#3 ONCE#m#3 entityType=IdempotencyClaim createdId=x expiresAt:=", in(-15*24*time.Hour)),
				"put ONCE#m#4 ONCE#m#4 entityType=IdempotencyClaim createdId=x",
			},
			want: []string{
				"CLAIM_EXPIRED ONCE#m#3 ONCE#m#3: the claim has expired long ago\n    delete it",
				"CLAIM_EXPIRED ONCE#m#4 ONCE#m#4: the claim does not expire\n    delete it",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contentOf(nil)
			for _, account := range []item.Item{
				{
					{Name: "id", Value: keys.IDAttribute(keys.NewID("Account", "a"))},
					{Name: "email", Value: item.StringValue("Straße")},
				},
				{{Name: "id", Value: keys.IDAttribute(keys.NewID("Account", "b"))}},
			} {
				items := must(write.Items(accounts.Types[0], account))
				c[keys.KeyOf(items[0])] = items[0]
				claim := must(write.UniqueClaim(accounts.Types[0], accounts.Types[0].Uniques[0], items[0]))
				if claim != nil {
					c[keys.KeyOf(claim)] = claim
				}
			}
			for _, line := range tt.damage {
				c.damage(t, line)
			}
			e := tabletest.Start(t, table.SchemaOf(accounts))
			scanner := admin.Scanner{Table: e.Table}
			e.Load(t, c.inOrder()...)
			o := check.Options{Design: accounts}
			found := must(check.Table(t.Context(), scanner, o))
			if got := describe(found.Violations); !slices.Equal(got, tt.want) {
				t.Errorf("found:\n%s", cmp.Diff(tt.want, got))
			}
			must(check.Repair(t.Context(), scanner, o))
			if left, err := check.Table(t.Context(), scanner, o); err != nil || len(left.Violations) != tt.left {
				t.Errorf("left: %q, %v", describe(left.Violations), err)
			}
		})
	}
}
