package stack_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/goccy/go-yaml"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/stack"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
)

func template(t *testing.T) string {
	t.Helper()
	text, err := stack.Template{Schema: testservice.TableSchema(), Writes: true}.CloudFormation()
	fatal.If(t, err)
	return string(text)
}

// properties are the properties of a CloudFormation table that CreateTable of DynamoDB has under the same names.
type properties struct {
	dynamodb.CreateTableInput
	TimeToLiveSpecification          struct{ AttributeName string }
	PointInTimeRecoverySpecification struct{ PointInTimeRecoveryEnabled bool }
}

// TestTemplateHasTheTableOfTheSchema: a table made by the template is one that the gateway starts on.
func TestTemplateHasTheTableOfTheSchema(t *testing.T) {
	var stackFile struct {
		Resources struct {
			Table struct {
				DeletionPolicy string         `yaml:"DeletionPolicy"`
				Properties     map[string]any `yaml:"Properties"`
			} `yaml:"Table"`
		} `yaml:"Resources"`
	}
	fatal.If(t, yaml.Unmarshal([]byte(template(t)), &stackFile))
	made := stackFile.Resources.Table
	made.Properties["TableName"] = "from-template"
	text, err := json.Marshal(made.Properties)
	fatal.If(t, err)
	// The SDK calls the members of SSESpecification otherwise.
	text = []byte(strings.Replace(string(text), `"SSEEnabled"`, `"Enabled"`, 1))
	var p properties
	fatal.If(t, json.Unmarshal(text, &p))
	p.StreamSpecification.StreamEnabled = aws.Bool(true) // CloudFormation has no such member
	if p.TimeToLiveSpecification.AttributeName != "expiresAt" ||
		!p.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled ||
		!aws.ToBool(p.DeletionProtectionEnabled) || !aws.ToBool(p.SSESpecification.Enabled) ||
		made.DeletionPolicy != "Retain" {
		t.Errorf("the table is not guarded: %s", text)
	}

	engine := tabletest.Start(t, testservice.TableSchema())
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(engine.Proxy.URL()), Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
	if _, err := client.CreateTable(t.Context(), &p.CreateTableInput); err != nil {
		t.Fatal(err)
	}
	settings := engine.Settings
	settings.TableName = "from-template"
	ctx, log := context.WithoutCancel(t.Context()), slog.New(slog.DiscardHandler)
	opened, err := table.Open(ctx, settings, testservice.TableSchema(), log)
	fatal.If(t, err)
	defer func() {
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := admin.Verify(t.Context(), opened); err != nil {
		t.Error(err)
	}
}

// TestTemplateOfAnExistingTable: names that YAML would read as something else than a text are quoted.
func TestTemplateOfAnExistingTable(t *testing.T) {
	layout := &stored.Layout{PK: keys.Named("y"), SK: keys.Named("sort:key"), Delimiter: "#",
		Indexes: []stored.IndexLayout{
			{Name: "by-time.v2", PK: keys.Named("No"), SK: keys.Named("2nd")},
			{Name: "some", PK: keys.Named("owner"), Projection: stored.Include, Include: []string{"null", "a b", "on"}},
		}}
	shape := keys.Shape{PK: keys.MustTemplate("{id}"), SK: keys.MustTemplate("X")}
	design := design.MustDesign(layout, []*design.Type{{
		Name: "Thing", Identity: []string{"id"}, Item: shape, Expires: "off",
		Attributes: []design.Attribute{{Name: "id", Kind: keys.String}},
		Indexes:    []design.Index{{Name: "by-time.v2", Shape: shape}, {Name: "some", Shape: keys.Shape{PK: shape.PK}}},
	}}, nil)
	text, err := stack.Template{Schema: table.SchemaOf(design)}.CloudFormation()
	fatal.If(t, err)
	for _, line := range []string{
		`AttributeName: "y"`, `AttributeName: "sort:key"`, `AttributeName: "No"`, `AttributeName: "2nd"`,
		`AttributeName: owner`, `AttributeName: "off"`, `IndexName: by-time.v2`, `- "null"`, `- "a b"`, `- "on"`,
		`ProjectionType: INCLUDE`, `- !Sub "${Table.Arn}/index/by-time.v2"`,
	} {
		if !strings.Contains(string(text), " "+line+"\n") {
			t.Errorf("no line %s in\n%s", line, text)
		}
	}
}

// TestTheGatewayMustNotScan: an operator and a migration have the permission to scan, which alone changes the table,
// and no policy has a wildcard.
func TestTheGatewayMustNotScan(t *testing.T) {
	gateway, others, _ := strings.Cut(template(t), "  OperatorPolicy:\n")
	operator, migrator, _ := strings.Cut(others, "  MigratorPolicy:\n")
	for action, want := range map[string][3]bool{"Scan": {false, true, true}, "UpdateTable": {false, false, true}} {
		for i, policy := range []string{gateway, operator, migrator} {
			if strings.Contains(policy, "- dynamodb:"+action+"\n") != want[i] {
				t.Errorf("policy %d: %s must be allowed: %v", i, action, want[i])
			}
		}
	}
	if strings.Contains(template(t), "*") {
		t.Error("a policy has a wildcard")
	}
}

// TestPolicyIsJSON: the gateway's policy names the table and its indexes.
func TestPolicyIsJSON(t *testing.T) {
	text, err := stack.Template{Schema: testservice.TableSchema(), Writes: true}.Policy("books")
	fatal.If(t, err)
	var policy struct{ Statement []stack.Statement }
	fatal.If(t, json.Unmarshal(text, &policy))
	for _, s := range policy.Statement {
		for _, resource := range s.Resource {
			if s.Effect != "Allow" || !strings.Contains(resource, ":table/books") {
				t.Errorf("got %+v", s)
			}
		}
	}
	if len(policy.Statement) != 5 {
		t.Errorf("%d statements, want those to read the table, its indexes and its stream, to write, and for reserved items",
			len(policy.Statement))
	}
}
