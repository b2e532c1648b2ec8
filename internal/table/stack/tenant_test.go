package stack_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/stack"
	"github.com/partita/partita/internal/testservice"
)

// TestPolicyOfATenant: a session can use the keys of its tenant alone, in the table and in each index, the reserved
// items, and DescribeTable.
func TestPolicyOfATenant(t *testing.T) {
	design := stack.Template{Schema: testservice.TableSchema(), Writes: true, TenantTag: "tenant"}
	text, err := design.Policy("books")
	fatal.If(t, err)
	var policy struct{ Statement []stack.Statement }
	fatal.If(t, json.Unmarshal(text, &policy))
	if len(policy.Statement) != 6 {
		t.Errorf("got %s", text)
	}
	for _, s := range policy.Statement {
		like := s.Condition["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
		null := s.Condition["Null"]["dynamodb:LeadingKeys"]
		isOfTenant := like == "${aws:PrincipalTag/tenant}#*" && null == "false" && len(s.Condition) == 2
		hasNoKeys := len(s.Action) == 1 && s.Action[0] == "dynamodb:DescribeTable" && s.Condition == nil
		reserved := s.Condition["ForAllValues:StringEquals"]["dynamodb:LeadingKeys"]
		isReserved := reserved == "PARTITA#LIVE" && null == "false" && len(s.Condition) == 2 &&
			slices.Equal(s.Action, []string{"dynamodb:GetItem", "dynamodb:UpdateItem"})
		// The record of the design can be read, and not be changed.
		isDesign := reserved == "PARTITA#DESIGN" && null == "false" && len(s.Condition) == 2 &&
			slices.Equal(s.Action, []string{"dynamodb:GetItem"})
		if !isOfTenant && !hasNoKeys && !isReserved && !isDesign {
			t.Errorf("the session of a tenant has more: %+v", s)
		}
	}
	yaml, err := design.CloudFormation()
	fatal.If(t, err)
	const condition = `
            Condition:
              "ForAllValues:StringLike":
                dynamodb:LeadingKeys: "${aws:PrincipalTag/tenant}#*"
              "Null":
                dynamodb:LeadingKeys: "false"
`
	if n := strings.Count(string(yaml), condition); n != 3 {
		t.Errorf("%d conditions in\n%s", n, yaml)
	}
	design.TenantTag, design.Stream = "", false
	if text, err = design.Policy("books"); err != nil || strings.Count(string(text), "LeadingKeys") != 2 {
		t.Errorf("without tenants: %v\n%s", err, text)
	}
}
