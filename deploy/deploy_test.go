package deploy_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/goccy/go-yaml"

	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/admin"
	"github.com/partita/partita/table/stack"
	"github.com/partita/partita/table/tabletest"
)

func schema() table.Schema { return table.Schema{Indexes: typed.Design.IndexNames()} }

func template(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("table.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTemplateIsFresh(t *testing.T) {
	design := stack.Template{Schema: schema(), Writes: graph.NewExecutableSchema(graph.Config{}).Schema().Mutation != nil}
	want, err := design.CloudFormation()
	if err != nil {
		t.Fatal(err)
	}
	if template(t) != string(want) {
		t.Error("table.yaml does not fit the schema: run make generate")
	}
}

// properties are the properties of a CloudFormation table that CreateTable of DynamoDB has under the same names.
type properties struct {
	dynamodb.CreateTableInput
	TimeToLiveSpecification          struct{ AttributeName string }
	PointInTimeRecoverySpecification struct{ PointInTimeRecoveryEnabled bool }
}

// The gateway starts on the table that the template describes.
func TestTemplateMakesTheTableThatTheGatewayNeeds(t *testing.T) {
	var stackFile struct {
		Resources struct {
			Table struct {
				DeletionPolicy string         `yaml:"DeletionPolicy"`
				Properties     map[string]any `yaml:"Properties"`
			} `yaml:"Table"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal([]byte(template(t)), &stackFile); err != nil {
		t.Fatal(err)
	}
	made := stackFile.Resources.Table
	made.Properties["TableName"] = "from-template"
	text, err := json.Marshal(made.Properties)
	if err != nil {
		t.Fatal(err)
	}
	// The SDK calls the members of SSESpecification otherwise.
	text = []byte(strings.Replace(string(text), `"SSEEnabled"`, `"Enabled"`, 1))
	var p properties
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	if p.TimeToLiveSpecification.AttributeName != "expiresAt" ||
		!p.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled ||
		!aws.ToBool(p.DeletionProtectionEnabled) || !aws.ToBool(p.SSESpecification.Enabled) ||
		made.DeletionPolicy != "Retain" {
		t.Errorf("the table is not guarded: %s", text)
	}

	engine := tabletest.Start(t, schema())
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(engine.Proxy.URL()), Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
	if _, err := client.CreateTable(t.Context(), &p.CreateTableInput); err != nil {
		t.Fatal(err)
	}
	settings := engine.Settings
	settings.TableName = "from-template"
	opened, err := table.Open(context.WithoutCancel(t.Context()), settings, schema(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := admin.Verify(t.Context(), opened); err != nil {
		t.Error(err)
	}
}

func TestOnlyTheOperatorMayScan(t *testing.T) {
	gateway, operator, found := strings.Cut(template(t), "  OperatorPolicy:\n")
	if !found || strings.Contains(gateway, "Scan") || !strings.Contains(operator, "dynamodb:Scan") {
		t.Error("the gateway may Scan, or the operator may not")
	}
	if strings.Contains(template(t), "*") {
		t.Error("a policy has a wildcard")
	}
}
