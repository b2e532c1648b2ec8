package crowd

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// change is a change of the design of an example.
type change struct {
	name, example string
	// edits are pairs of texts, as strings.NewReplacer has them; nil if the table gets tenants, and nothing else changes.
	edits []string
}

var changes = []change{
	{"item key", "billing", []string{"INVOICE#", "BILL#"}},
	{"padding", "billing", []string{"{number:08}", "{number:010}"}},
	{"shards of an entry", "billing", []string{"shards: 4", "shards: 2"}},
	{"new unique", "catalogue", []string{"name: String!", "name: String! @unique"}},
	{"entry gone", "billing", []string{
		`@index(pk: "TENANT#{tenantId}", sk: "ROLE#{role}#{email}")`, "",
		`members(role: Role): MemberConnection @query(index: "GSI1", pk: "TENANT#{id}", sk: "ROLE#{role}")`, "",
	}},
	{"delimiter", "shops", []string{
		"type Query", `extend schema @table(delimiter: "/") type Query`, "#", "/",
	}},
	{"field renamed", "shops", []string{"street: String!", `address: String! @was(name: "street")`}},
	{"key of an entry", "catalogue", []string{"CATEGORY#", "KIND#"}},
	{"counter gone", "catalogue", []string{`reviewCount: Int! @counts(field: "reviews")`, ""}},
	{"version gone", "catalogue", []string{"version: Int! @version", ""}},
	{"attribute renamed", "catalogue", []string{"name: String!", `name: String! @stored(name: "title")`}},
	{"bucket", "devices", []string{":month}", ":day}"}},
	{"format", "documents", []string{"savedAt: Time!", "savedAt: Time! @stored(as: EPOCH_MILLIS)"}},
	{"new copy", "documents", []string{
		`sk: "v{version:07}", maxBytes: 65536)`,
		`sk: "v{version:07}", maxBytes: 65536) @copy(pk: "SAVED#{documentId}", sk: "{savedAt}#{version:07}")`,
		"title: String!", `title: String! saved: VersionConnection @query(pk: "SAVED#{id}")`,
	}},
	{"new counter", "documents", []string{"title: String!", `title: String! count: Int! @counts(field: "versions")`}},
	{"copy gone", "employees", []string{
		`@copy(pk: "EMPLOYEE#{id}", sk: "BY_NAME")`, "", `@index(pk: "SURNAME#{surname}", sk: "{givenName}#{id}")`, "",
		"employeesByName(surname: String!, givenName: String): EmployeeConnection", "",
		`@query(index: "GSI1", pk: "SURNAME#{surname}", sk: "{givenName}")`, "",
	}},
	{"new index", "employees", []string{
		`sk: "EMPLOYEE#{id}") @index`,
		`sk: "EMPLOYEE#{id}") @index(name: "GSI2", pk: "HIRED#{hiredOn}", sk: "{id}") @index`,
		"type Query {", `type Query { hired(hiredOn: Date!): EmployeeConnection @query(index: "GSI2", pk: "HIRED#{hiredOn}")`,
	}},
	{"more shards", "hotpartition", []string{"shards: 8", "shards: 13"}},
	{"new attribute", "hotpartition", []string{"text: String!", "text: String! likes: Int! @default(value: 3)"}},
	{"key of a copy", "organisation", []string{
		`sk: "PERSON#{surname}#{id}"`, `sk: "PERSON#{surname}#{givenName}#{id}"`,
	}},
	{"key of a parent", "organisation", []string{
		`"ORG#{orgId}", sk: "DEPARTMENT#{code}"`, `"DEPARTMENT#{orgId}#{code}", sk: "DEPARTMENT#{code}"`,
		`"ORG#{orgId}", sk: "DEPARTMENT#{departmentCode}"`,
		`"DEPARTMENT#{orgId}#{departmentCode}", sk: "DEPARTMENT#{departmentCode}"`,
		`departments: DepartmentConnection @query(pk: "ORG#{id}", sk: "DEPARTMENT#")`, "",
	}},
	{"type renamed", "teams", []string{
		"type Membership implements", `type Member implements`, "Membership", "Member",
		"maxBytes: 512)", `maxBytes: 512) @was(name: "Membership")`,
	}},
	{"key of claims", "teams", []string{"@unique(ignoreCase: true)", `@unique(ignoreCase: true, key: "NAME#{name}")`}},
	{"type value", "teams", []string{`sk: "TEAM#{id}") @mutable`, `sk: "TEAM#{id}", type: "T") @mutable`}},
	{"new version", "teams", []string{"name: String! @unique", "version: Int! @version name: String! @unique"}},
	{"item key", "shop", []string{`"ORDER#{id}"`, `"PURCHASE#{id}"`, `"ORDER#{orderId}"`, `"PURCHASE#{orderId}"`}},
	{"tenants", "teams", nil},
	{"unique gone", "shop", []string{`@unique(key: "EMAIL#{email}", ignoreCase: true)`, ""}},
}

var (
	description = regexp.MustCompile(`(?s)""".*?"""|\n *"[^"\n]+"`)
	dropped     = regexp.MustCompile(`@(allow|mutable|live|cacheControl|cost)(\([^)]*\))?|@now\b`)
	mutations   = regexp.MustCompile(`(?s)extend type Mutation \{.*?\n\}`)
	inputs      = regexp.MustCompile(`(?s)(input \w+|type (\w+Payload|UserError|Mutation)|enum UserErrorCode) \{.*?\n\}` +
		`|type Mutation\s`)
	lists      = regexp.MustCompile(`\[(\w+)!\] (@query\()`)
	limits     = regexp.MustCompile(`, (atMost: \d+|count: "\w+")`)
	blanks     = regexp.MustCompile(`\s+`)
	storedType = regexp.MustCompile(`(type \w+ implements Node [^{]*(?:\{[^}]*\}[^{]*?)*?)(\{ id: ID!)`)
)

// schemas returns the schemas before and after a change. All types have all mutations, which everybody may call.
func (c change) schemas(t *testing.T) [2]string {
	t.Helper()
	pattern := "../../../examples/" + c.example + "/*.graphqls"
	if c.example == "shop" {
		pattern = "../../../graph/schema/*.graphqls"
	}
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var text strings.Builder
	for _, file := range files {
		one, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(one)
	}
	sdl := mutations.ReplaceAllString(description.ReplaceAllString(text.String(), ""), "")
	sdl = dropped.ReplaceAllString(inputs.ReplaceAllString(sdl, ""), "")
	sdl = blanks.ReplaceAllString(sdl, " ")
	sdl = limits.ReplaceAllString(lists.ReplaceAllString(sdl, "${1}Connection ${2}"), "")
	sdl = strings.ReplaceAll(sdl, `viewer: User @get(pk: "USER#{viewer}", sk: "USER#{viewer}")`, "")
	sdl = strings.ReplaceAll(sdl, "author: ID!", "author: String!") // The @allow that is dropped says whose id it is.
	all := `@mutable(create: ["PUBLIC"], update: ["PUBLIC"], delete: ["PUBLIC"]) `
	sdl = storedType.ReplaceAllString(sdl, "${1}"+all+"${2}")
	later := strings.NewReplacer(c.edits...).Replace(sdl)
	for i := 0; i < len(c.edits); i += 2 {
		if !strings.Contains(sdl, c.edits[i]) {
			t.Fatalf("%s has no %s", sdl, c.edits[i])
		}
	}
	return [2]string{sdl, later}
}

// TestSchemas: the schemas of all changes have no findings, those of the long form included.
func TestSchemas(t *testing.T) {
	t.Parallel()
	for _, c := range changes {
		t.Run(c.example+" "+c.name, func(t *testing.T) { newWorld(t, c) })
	}
}
