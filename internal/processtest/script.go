package processtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/partita/partita/internal/buildfolder"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// RunScripts runs the command lines in testdata, for package testscript. Their environment is that of the caller and:
//
//	ENDPOINT   a DynamoDB endpoint with an empty table "partita" of the schema, and a table "foreign" with other keys
//	REJECTING  an endpoint that rejects the credentials
//	STRONG     an endpoint whose tables have multi-Region strong consistency
//	DEAD       an endpoint at which nothing listens
//	BUSY       an address at which another process listens
//
// Besides testscript's commands there are `fails code command...` and `sameitems file file`. Those in testdata/long,
// whose short form other packages have, run in make soak.
func RunScripts(t *testing.T, schema table.Schema, environment map[string]string) {
	t.Helper()
	live, rejecting := tabletest.Start(t, schema), tabletest.Start(t, schema)
	rejecting.Proxy.Inject(tabletest.Faults{ErrorCode: "UnrecognizedClientException"})
	strong := startStrong(t, live.Proxy.URL())
	createForeign(t, live.Proxy.URL())
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	t.Cleanup(func() { _ = busy.Close() })
	files, err := filepath.Glob("testdata/*.txtar")
	fatal.If(t, err)
	if soak.Times(1) > 1 {
		long, err := filepath.Glob("testdata/long/*.txtar")
		fatal.If(t, err)
		files = append(files, long...)
	}
	testscript.Run(t, testscript.Params{
		Files:       files,
		WorkdirRoot: buildfolder.New(t),
		Setup: func(env *testscript.Env) error {
			for name, value := range map[string]string{
				"ENDPOINT":  live.Proxy.URL(),
				"REJECTING": rejecting.Proxy.URL(),
				"STRONG":    strong.URL,
				"DEAD":      tabletest.DeadEndpoint,
				"BUSY":      busy.Addr().String(),
				"ADDR":      "127.0.0.1:0",
			} {
				env.Setenv(name, value)
			}
			for _, name := range []string{"DYNOXIDE", "GORACE", "DYNAMODB_TIMEOUT", "TMPDIR"} {
				env.Setenv(name, os.Getenv(name)) // see suite
			}
			for name, value := range environment {
				env.Setenv(name, value)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"fails":     failsCommand,
			"sameitems": sameItemsCommand,
		},
	})
}

// startStrong starts a proxy that adds to the description of each table that it is a global one with multi-Region
// strong consistency.
func startStrong(t *testing.T, endpoint string) *httptest.Server {
	t.Helper()
	target, err := url.Parse(endpoint)
	fatal.If(t, err)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ModifyResponse: func(r *http.Response) error {
			if !strings.HasSuffix(r.Request.Header.Get("X-Amz-Target"), ".DescribeTable") {
				return nil
			}
			text, err := io.ReadAll(r.Body)
			const added = `{"Table":{"Replicas":[{"RegionName":"eu-west-1"}],"MultiRegionConsistency":"STRONG",`
			text = bytes.Replace(text, []byte(`{"Table":{`), []byte(added), 1)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
			r.Header.Set("Content-Length", strconv.Itoa(len(text)))
			return err
		},
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server
}

func createForeign(t *testing.T, endpoint string) {
	t.Helper()
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(endpoint),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName:   aws.String("foreign"),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	fatal.If(t, err)
}

// failsCommand is `fails code command...`: the command exits with the code, and the last line that it prints is a
// message that a person can read.
func failsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fails code command...")
	}
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		ts.Fatalf("the command did not fail: %v", err)
	}
	if got := exit.ProcessState.String(); got != "exit status "+args[0] {
		ts.Fatalf("%s, want %s", got, args[0])
	}
	if problem := unreadable(ts.ReadFile("stderr")); problem != "" {
		ts.Fatalf("%s", problem)
	}
}

// foreignWords are those of a panic, of the AWS SDK and of Go.
var foreignWords = regexp.MustCompile(
	`goroutine|panic|operation error|https response|0x[0-9a-f]{6}|%!|<nil>|context (canceled|deadline)`)

// finding matches the lines of a finding, that with its place and those with its fix, and of an error in a document.
var finding = regexp.MustCompile(`^\S+\.graphqls:\d+:\d+: \S+: |^    \S|^\S+\.graphql:\d+:\d+: \S`)

// unreadable returns what is wrong with the standard error output of a command that failed, "" for nothing. Lines of
// the log and findings of a schema may precede its one message.
func unreadable(stderr string) string {
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	message := lines[len(lines)-1]
	if !strings.HasPrefix(message, "partita: ") {
		return "the last line is no message"
	}
	if found := foreignWords.FindString(message); found != "" {
		return "the message is not for a reader: " + found
	}
	for _, line := range lines[:len(lines)-1] {
		if !strings.HasPrefix(line, "time=") && !finding.MatchString(line) {
			return "neither log nor message: " + line
		}
	}
	return ""
}

// sameItemsCommand is `sameitems file file`: two exports have the same items.
func sameItemsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: sameitems file file")
	}
	var exports [2][]string
	for i, name := range args {
		for line := range strings.Lines(ts.ReadFile(name)) {
			exports[i] = append(exports[i], canonical(ts, line))
		}
		slices.Sort(exports[i])
	}
	if len(exports[0]) == 0 || slices.Equal(exports[0], exports[1]) == neg {
		ts.Fatalf("%d and %d items; same: %v", len(exports[0]), len(exports[1]), neg)
	}
}

// canonical returns a line of an export with its attributes in order.
func canonical(ts *testscript.TestScript, line string) string {
	var v map[string]map[string]any
	ts.Check(json.Unmarshal([]byte(line), &v))
	text, err := json.Marshal(v)
	ts.Check(err)
	return string(text)
}
