package admin_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

func openError(t *testing.T, s table.Settings) error {
	t.Helper()
	opened, err := table.Open(t.Context(), s, schema, discard)
	if err != nil {
		return err
	}
	t.Cleanup(func() { opened.Close() })
	return admin.Verify(t.Context(), opened)
}

func TestStartAgainstMissingTable(t *testing.T) {
	e := tabletest.Start(t, schema)
	s := e.Settings
	s.TableName = "other"
	tabletest.WantExitError(t, openError(t, s), exit.Config,
		`table "other" does not exist at http://127.0.0.1`, "partita table create")
	s.CreateCommand = "tasks table create"
	tabletest.WantExitError(t, openError(t, s), exit.Config, "does not exist", `create it with "tasks table create"`)
}

// TestStartAgainstSlowTable: the advice for a table that does not answer in time has the settings.
func TestStartAgainstSlowTable(t *testing.T) {
	held := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-held }))
	t.Cleanup(slow.Close)
	t.Cleanup(func() { close(held) })
	s := tabletest.Start(t, schema).Settings
	s.Endpoint, s.StartTimeout = slow.URL, 100*time.Millisecond
	tabletest.WantExitError(t, openError(t, s), exit.Unavailable, "does not answer", "DYNAMODB_TIMEOUT")
}

func TestStartAgainstExistingTable(t *testing.T) {
	e := tabletest.Start(t, schema)
	tabletest.WantExitError(t, admin.Create(t.Context(), e.Table), exit.Config, "exists already")
}

// TestCreateTurnsRecoveryOn: the errors of Amazon DynamoDB for a table that is just
// active, and of an endpoint without the feature.
func TestCreateTurnsRecoveryOn(t *testing.T) {
	for _, tt := range []struct {
		errorCode string
		times     int
		requests  int
		code      int // 0 for success
	}{
		{"ContinuousBackupsUnavailableException", 3, 4, 0},
		{"UnknownOperationException", 1, 1, 0},
		{"AccessDeniedException", 1, 1, exit.NoPermission},
	} {
		t.Run(tt.errorCode, func(t *testing.T) {
			e := tabletest.Start(t, schema)
			s := e.Settings
			s.TableName = "another"
			opened, err := table.Open(t.Context(), s, schema, discard)
			fatal.If(t, err)
			t.Cleanup(func() { opened.Close() })
			left := tt.times
			e.Proxy.Inject(tabletest.Faults{ErrorCode: tt.errorCode, Only: func(r tabletest.Request) bool {
				if r.Operation != "UpdateContinuousBackups" || left == 0 {
					return false
				}
				left--
				return true
			}})
			err = admin.Create(t.Context(), opened)
			if tt.code != 0 {
				tabletest.WantExitError(t, err, tt.code, "point-in-time recovery", "dynamodb:UpdateContinuousBackups")
			} else if err != nil {
				t.Error(err)
			}
			if got := e.Proxy.Counts().Requests["UpdateContinuousBackups"]; got != tt.requests {
				t.Errorf("%d requests, want %d", got, tt.requests)
			}
		})
	}
}

func TestStartWithRefusedCredentials(t *testing.T) {
	e := tabletest.Start(t, schema)
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "UnrecognizedClientException"})
	tabletest.WantExitError(t, admin.Verify(t.Context(), e.Table), exit.NoPermission,
		"denied access", "UnrecognizedClientException", "credentials")
}

func TestStartWithoutUsableCredentials(t *testing.T) {
	t.Setenv("AWS_WEB_IDENTITY_TOKEN_FILE", filepath.Join(t.TempDir(), "missing"))
	t.Setenv("AWS_ROLE_ARN", "arn:aws:iam::000000000000:role/none")
	err := openError(t, table.Settings{Region: "us-east-1", Endpoint: tabletest.DeadEndpoint})
	tabletest.WantExitError(t, err, exit.NoPermission, "credentials", "no such file")
}

func TestStartWithoutRegion(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	tabletest.WantExitError(t, openError(t, table.Settings{}), exit.Config, "needs a region", "AWS_REGION")
}

func TestStartWithMissingProfile(t *testing.T) {
	t.Setenv("AWS_PROFILE", "none")
	tabletest.WantExitError(t, openError(t, table.Settings{Region: "us-east-1"}), exit.Config, "AWS settings", "none")
}

func TestStartAgainstDeadEndpoint(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s := table.Settings{Endpoint: tabletest.DeadEndpoint, StartTimeout: 300 * time.Millisecond}
	opened := must(table.Open(ctx, s, schema, discard))
	defer opened.Close()
	tabletest.WantExitError(t, admin.Verify(ctx, opened), exit.Unavailable,
		"does not answer", "connection refused", "DYNAMODB_ENDPOINT")
	if ctx.Err() != nil {
		t.Error("StartTimeout had no effect")
	}
}

func TestStartAgainstSilentEndpoint(t *testing.T) {
	e := tabletest.Start(t, schema)
	hold := e.Proxy.Hold(func(tabletest.Request) bool { return true })
	defer hold.Release()
	s := e.Settings
	s.StartTimeout = 300 * time.Millisecond
	tabletest.WantExitError(t, openError(t, s), exit.Unavailable, "does not answer")
}

func TestStartWithMalformedEndpoint(t *testing.T) {
	for _, endpoint := range []string{"localhost:8000", "ftp://x", "http://", "://"} {
		err := openError(t, table.Settings{Endpoint: endpoint})
		tabletest.WantExitError(t, err, exit.Config, endpoint, "DYNAMODB_ENDPOINT")
	}
}

func TestStartWithUnusableSettings(t *testing.T) {
	for _, name := range []string{
		"ab", "my table", "table#1", strings.Repeat("x", 256), "arn:aws:dynamodb:eu-central-1:1:table/shop",
	} {
		tabletest.WantExitError(t, openError(t, table.Settings{TableName: name}), exit.Config, "TABLE_NAME")
	}
	err := openError(t, table.Settings{TableName: "shop", MaxConnections: -1})
	tabletest.WantExitError(t, err, exit.Config, "-1", "DYNAMODB_CONNECTIONS", "1 to 65535")
}

func TestStartAgainstTableWithOtherKeys(t *testing.T) {
	e := tabletest.Start(t, schema)
	attribute := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS}
	}
	must(rawClient(e).CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName:            aws.String("foreign"),
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{attribute("id")},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	}))
	s := e.Settings
	s.TableName = "foreign"
	tabletest.WantExitError(t, openError(t, s), exit.Config, "id (HASH)", "PK (HASH), SK (RANGE)", "TABLE_NAME")
}

func TestStartAgainstTableWithoutIndex(t *testing.T) {
	e := tabletest.Start(t, table.Schema{})
	tabletest.WantExitError(t, openError(t, e.Settings), exit.Config,
		"no index GSI1", "GSI1PK (HASH, S), GSI1SK (RANGE, S)")
}

func rawClient(e *tabletest.Engine) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(e.Proxy.URL()),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
}
