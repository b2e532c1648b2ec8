// Package stack writes the CloudFormation template of the table that a gateway needs, with policies
// of the least permissions for the gateway, for its operators, and for migrations.
package stack

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"text/template"

	"github.com/partita/partita/internal/defaults"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
)

// Template is the CloudFormation template of the table that a schema needs.
type Template struct {
	table.Schema
	// Writes reports whether the schema has mutations.
	Writes bool
	// TenantTag is the tag of the gateway's session with the tenant; "" without tenants. A session can use the keys of its
	// tenant only.
	TenantTag string
}

// The IAM actions that each part of the gateway needs on the table. The items of a
// TransactWriteItems are permitted one by one.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
var (
	readActions  = []string{"dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"}
	indexActions = []string{"dynamodb:Query"}
	writeActions = []string{
		"dynamodb:ConditionCheckItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem",
	}
	streamActions   = []string{"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"}
	reservedActions = []string{"dynamodb:GetItem", "dynamodb:UpdateItem"}
	operatorActions = []string{
		"dynamodb:BatchGetItem", "dynamodb:BatchWriteItem", "dynamodb:ConditionCheckItem", "dynamodb:DeleteItem",
		"dynamodb:DescribeTable", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:Scan",
		"dynamodb:UpdateItem",
	}
	// A migration creates indexes, and changes items in transactions.
	migratorActions = []string{
		"dynamodb:BatchGetItem", "dynamodb:ConditionCheckItem", "dynamodb:DeleteItem", "dynamodb:DescribeTable",
		"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:UpdateItem",
		"dynamodb:UpdateTable",
	}
)

const describeAction = "dynamodb:DescribeTable"

// leadingKeys is the condition key with the partition keys of a request.
const leadingKeys = "dynamodb:LeadingKeys"

// Statement is a statement of an IAM policy.
type Statement struct {
	Sid      string   `json:"Sid"`
	Effect   string   `json:"Effect"`
	Action   []string `json:"Action"`
	Resource []string `json:"Resource"`
	// Condition has the values of condition keys by operator; nil without one.
	Condition map[string]map[string]string `json:"Condition,omitempty"`
}

// ofTenant returns the statement for the partition keys of the session's tenant. ForAllValues is also true for a
// request without keys, such as a Scan, which Null excludes. Without the tag, the statement allows nothing.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
func (t Template) ofTenant(s Statement) Statement {
	if t.TenantTag == "" {
		return s
	}
	anyKey := t.Layout().TenantPrefix("${aws:PrincipalTag/"+t.TenantTag+"}") + "*"
	s.Condition = map[string]map[string]string{
		"ForAllValues:StringLike": {leadingKeys: string(anyKey)},
		"Null":                    {leadingKeys: "false"},
	}
	return s
}

// Gateway returns the permissions of the gateway on the table with the ARN: for its reads, its
// mutations, the table's stream, the reserved items and /readyz. They do not include Scan. With a TenantTag, they are
// those of a session for one tenant, which cannot read the stream.
func (t Template) Gateway(arn string) []Statement {
	statements := []Statement{allow("ReadTable", slices.Insert(slices.Clone(readActions), 1, describeAction), arn)}
	if t.TenantTag != "" { // DescribeTable has no keys
		statements = []Statement{
			allow("DescribeTable", []string{describeAction}, arn), t.ofTenant(allow("ReadTable", readActions, arn)),
		}
	}
	if indexes := t.indexes(arn); len(indexes) > 0 {
		statements = append(statements, t.ofTenant(allow("ReadIndexes", indexActions, indexes...)))
	}
	if t.Writes {
		statements = append(statements, t.ofTenant(allow("WriteTable", writeActions, arn)))
	}
	if t.Stream && t.TenantTag == "" { // the stream has the items of all tenants
		statements = append(statements, allow("ReadStream", streamActions, streamOf(arn)))
	}
	written, read := t.Layout().ReservedPKs()
	statements = append(statements, t.ofReserved(allow("JoinReplicas", reservedActions, arn), written))
	if t.TenantTag != "" { // without tenants, ReadTable includes it
		statements = append(statements, t.ofReserved(allow("ReadDesign", []string{"dynamodb:GetItem"}, arn), read))
	}
	return statements
}

// tableARN is the ARN of the table in its CloudFormation template.
const tableARN = "${Table.Arn}"

// streamOf returns the ARN of the stream of a table. It contains the time at which the stream was turned on, which only
// the template knows.
func streamOf(arn string) string {
	if arn == tableARN {
		return "${Table.StreamArn}"
	}
	return arn + "/stream/*"
}

// ofReserved returns a statement for items by which replicas agree: on who reads the stream, and on the design of the
// table. They belong to no tenant. Without a sort key each has a partition key of its own, which differ in the last
// character.
func (t Template) ofReserved(s Statement, pks []keys.PK) Statement {
	operator, pk := "ForAllValues:StringEquals", t.Layout().PK.Show(string(pks[0]))
	if len(pks) > 1 {
		operator, pk = "ForAllValues:StringLike", pk[:len(pk)-1]+"?"
	}
	s.Condition = map[string]map[string]string{operator: {leadingKeys: pk}, "Null": {leadingKeys: "false"}}
	return s
}

// Operator returns the permissions of the commands partita table load, export, check, repair and
// sweep.
func (t Template) Operator(arn string) []Statement {
	return t.ofAllItems(allow("OperateTable", operatorActions, arn), arn)
}

// Migrator returns the permissions of the commands partita migrate, for indexes that they create as well, and for the
// stream by which they follow other programs.
func (t Template) Migrator(arn string) []Statement {
	statements := t.ofAllItems(allow("MigrateTable", migratorActions, arn), arn)
	if t.Stream {
		statements = append(statements, allow("ReadStream", streamActions, streamOf(arn)))
	}
	return statements
}

// ofAllItems returns a statement for the whole table with that for its indexes.
func (t Template) ofAllItems(table Statement, arn string) []Statement {
	statements := []Statement{table}
	if indexes := t.indexes(arn); len(indexes) > 0 {
		statements = append(statements, allow("ReadIndexes", indexActions, indexes...))
	}
	return statements
}

func (t Template) indexes(arn string) []string {
	var indexes []string
	for _, name := range t.Indexes {
		indexes = append(indexes, arn+"/index/"+name)
	}
	return indexes
}

func allow(sid string, actions []string, resources ...string) Statement {
	return Statement{Sid: sid, Effect: "Allow", Action: actions, Resource: resources}
}

// Policy returns the gateway's IAM policy for the table with the name, as JSON. It has * for region
// and account.
func (t Template) Policy(tableName string) ([]byte, error) {
	document := struct {
		Version   string
		Statement []Statement
	}{"2012-10-17", t.Gateway("arn:aws:dynamodb:*:*:table/" + tableName)}
	text, err := json.MarshalIndent(document, "", "  ")
	return append(text, '\n'), err
}

//go:embed stack.yaml.tmpl
var source string

var stackTemplate = template.Must(template.New("stack").Funcs(template.FuncMap{"yaml": yaml}).Parse(source))

// plainName is a name that YAML reads as a text, unless it is a wordOfYAML.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// wordOfYAML is a name that YAML 1.1, which CloudFormation reads, takes for a Boolean or null.
//
// https://yaml.org/type/bool.html
var wordOfYAML = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false|null)$`)

// yaml returns the name of an attribute or of an index as YAML.
func yaml(name string) string {
	if plainName.MatchString(name) && !wordOfYAML.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}

// CloudFormation returns the template of the table, of its policies, and of the outputs.
//
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html
func (t Template) CloudFormation() ([]byte, error) {
	var global, local []stored.IndexLayout
	for _, name := range t.Indexes {
		if ix := t.Layout().Index(name); ix.Local {
			local = append(local, ix)
		} else {
			global = append(global, ix)
		}
	}
	type kind struct {
		Name    string
		Indexes []stored.IndexLayout
	}
	kinds := slices.DeleteFunc([]kind{{"GlobalSecondaryIndexes", global}, {"LocalSecondaryIndexes", local}},
		func(k kind) bool { return len(k.Indexes) == 0 })
	var settings table.Settings
	if err := defaults.Apply(&settings); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err := stackTemplate.Execute(&out, map[string]any{
		"Table":      t.Layout(),
		"Attributes": t.KeyAttributes(),
		"Kinds":      kinds,
		"Expiry":     t.ExpiryAttribute(),
		"Stream":     t.Stream,
		"TableName":  settings.TableName,
		"Gateway":    t.Gateway(tableARN),
		"Operator":   t.Operator(tableARN),
		"Migrator":   t.Migrator(tableARN),
	})
	return out.Bytes(), err
}
