package table_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/tabletest"
)

// wantExitError checks the exit code, and that the message is one line with
// all of the words.
func wantExitError(t *testing.T, err error, code int, words ...string) {
	t.Helper()
	var start *exit.Error
	if !errors.As(err, &start) {
		t.Fatalf("got %v", err)
	}
	if start.Code != code {
		t.Errorf("exit code %d, want %d: %v", start.Code, code, err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("no %q in: %v", word, err)
		}
	}
	if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "operation error") {
		t.Errorf("not for a reader: %v", err)
	}
}

func openError(t *testing.T, s table.Settings) error {
	t.Helper()
	opened, err := table.Open(t.Context(), s, schema, discard)
	if err != nil {
		return err
	}
	t.Cleanup(func() { opened.Close() })
	return opened.Verify(t.Context())
}

func TestStartAgainstMissingTable(t *testing.T) {
	e := tabletest.Start(t, schema)
	s := e.Settings
	s.TableName = "other"
	wantExitError(t, openError(t, s), exit.Config, `table "other" does not exist at http://127.0.0.1`, "partita table create")
}

func TestStartAgainstExistingTable(t *testing.T) {
	e := tabletest.Start(t, schema)
	wantExitError(t, e.Table.CreateTable(t.Context()), exit.Config, "exists already")
}

// TestCreateTurnsRecoveryOn: what Amazon DynamoDB says of a table that is just
// active, and what an endpoint says that lacks the feature.
func TestCreateTurnsRecoveryOn(t *testing.T) {
	for _, tt := range []struct {
		refuse   string
		times    int
		requests int
		code     int // 0 for success
	}{
		{"ContinuousBackupsUnavailableException", 3, 4, 0},
		{"UnknownOperationException", 1, 1, 0},
		{"AccessDeniedException", 1, 1, exit.NoPermission},
	} {
		t.Run(tt.refuse, func(t *testing.T) {
			e := tabletest.Start(t, schema)
			s := e.Settings
			s.TableName = "another"
			opened, err := table.Open(t.Context(), s, schema, discard)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { opened.Close() })
			left := tt.times
			e.Proxy.Inject(tabletest.Faults{Refuse: tt.refuse, Only: func(r tabletest.Request) bool {
				if r.Operation != "UpdateContinuousBackups" || left == 0 {
					return false
				}
				left--
				return true
			}})
			err = opened.CreateTable(t.Context())
			if tt.code != 0 {
				wantExitError(t, err, tt.code, "point-in-time recovery", "dynamodb:UpdateContinuousBackups")
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
	e.Proxy.Inject(tabletest.Faults{Refuse: "UnrecognizedClientException"})
	wantExitError(t, e.Table.Verify(t.Context()), exit.NoPermission, "refused access", "UnrecognizedClientException", "credentials")
}

func TestStartWithoutUsableCredentials(t *testing.T) {
	t.Setenv("AWS_WEB_IDENTITY_TOKEN_FILE", filepath.Join(t.TempDir(), "missing"))
	t.Setenv("AWS_ROLE_ARN", "arn:aws:iam::000000000000:role/none")
	err := openError(t, table.Settings{Region: "us-east-1", Endpoint: deadEndpoint(t)})
	wantExitError(t, err, exit.NoPermission, "credentials", "no such file")
}

func TestStartWithoutRegion(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	wantExitError(t, openError(t, table.Settings{}), exit.Config, "no region", "AWS_REGION")
}

func TestStartWithMissingProfile(t *testing.T) {
	t.Setenv("AWS_PROFILE", "none")
	wantExitError(t, openError(t, table.Settings{Region: "us-east-1"}), exit.Config, "AWS settings", "none")
}

func TestStartAgainstDeadEndpoint(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	opened, err := table.Open(ctx, table.Settings{Endpoint: deadEndpoint(t), StartTimeout: 300 * time.Millisecond}, schema, discard)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	wantExitError(t, opened.Verify(ctx), exit.Unavailable, "does not answer", "connection refused", "DYNAMODB_ENDPOINT")
	if ctx.Err() != nil {
		t.Error("the start's own timeout did not hold")
	}
}

func TestStartAgainstSilentEndpoint(t *testing.T) {
	e := tabletest.Start(t, schema)
	hold := e.Proxy.Hold(func(tabletest.Request) bool { return true })
	defer hold.Release()
	s := e.Settings
	s.StartTimeout = 300 * time.Millisecond
	wantExitError(t, openError(t, s), exit.Unavailable, "does not answer")
}

func TestStartWithMalformedEndpoint(t *testing.T) {
	for _, endpoint := range []string{"localhost:8000", "ftp://x", "http://", "://"} {
		wantExitError(t, openError(t, table.Settings{Endpoint: endpoint}), exit.Config, endpoint, "DYNAMODB_ENDPOINT")
	}
}

func TestStartWithUnusableSettings(t *testing.T) {
	for _, name := range []string{"ab", "my table", "table#1", strings.Repeat("x", 256), "arn:aws:dynamodb:eu-central-1:1:table/shop"} {
		wantExitError(t, openError(t, table.Settings{TableName: name}), exit.Config, "TABLE_NAME")
	}
	err := openError(t, table.Settings{TableName: "shop", MaxConnections: -1})
	wantExitError(t, err, exit.Config, "-1", "DYNAMODB_CONNECTIONS")
}

func TestStartWithoutEngine(t *testing.T) {
	wantExitError(t, openError(t, table.Settings{DataDir: t.TempDir(), Engine: "/nowhere/dynoxide"}),
		exit.Unavailable, "/nowhere/dynoxide", "make install")
	t.Chdir(t.TempDir())
	wantExitError(t, openError(t, table.Settings{DataDir: t.TempDir()}), exit.Unavailable,
		"not installed", "make install", "DYNAMODB_ENDPOINT")
}

func TestEngineIsFoundAboveTheWorkingDirectory(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "node_modules", "@dynoxide", "linux-x64")
	deep := filepath.Join(root, "a", "b")
	for _, d := range []string{dir, deep} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	want := filepath.Join(dir, "dynoxide")
	if err := os.WriteFile(want, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(deep)
	if got, err := table.FindEngine(""); got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestStartWithBrokenEngineOrData(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "engine")
	if err := os.WriteFile(broken, []byte("#!/bin/sh\necho it is broken >&2\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	wantExitError(t, openError(t, table.Settings{DataDir: filepath.Join(dir, "data"), Engine: broken}),
		exit.Unavailable, "cannot be started", "it is broken")

	s := local(dir)
	if err := os.WriteFile(filepath.Join(dir, "partita.db"), []byte("not a database, but long enough"), 0o644); err != nil {
		t.Fatal(err)
	}
	wantExitError(t, openError(t, s), exit.Unavailable, "cannot be started", "not a valid SQLite database", "DATA_DIR")

	s.DataDir = filepath.Join(broken, "below a file")
	wantExitError(t, openError(t, s), exit.CannotCreate, "cannot be written", "DATA_DIR")
}

func TestStartAgainstTableWithOtherKeys(t *testing.T) {
	e := tabletest.Start(t, schema)
	attribute := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS}
	}
	_, err := rawClient(e).CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName:            aws.String("foreign"),
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{attribute("id")},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := e.Settings
	s.TableName = "foreign"
	wantExitError(t, openError(t, s), exit.Config, "id (HASH)", "PK (HASH), SK (RANGE)", "TABLE_NAME")
}

func TestStartAgainstTableWithoutIndex(t *testing.T) {
	e := tabletest.Start(t, table.Schema{})
	wantExitError(t, openError(t, e.Settings), exit.Config, "no index GSI1", "GSI1PK (HASH), GSI1SK (RANGE)")
}

func rawClient(e *tabletest.Engine) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(e.Proxy.URL()),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
}
