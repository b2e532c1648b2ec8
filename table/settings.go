package table

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/url"
	"os"
	"regexp"
	"time"

	"github.com/aws/aws-sdk-go-v2/config"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/item"
)

// What a zero field of Settings stands for.
const (
	DefaultTableName      = "partita"
	DefaultDataDir        = ".data"
	DefaultMaxConnections = 256
	DefaultRequestTimeout = 3 * time.Second
	DefaultStartTimeout   = 5 * time.Second
)

// Settings say where the table is. The tags are for kong, so that a command
// embeds the struct. Everything else that the AWS SDK reads from the
// environment and from shared files (AWS_PROFILE, AWS_CA_BUNDLE, ...) holds as
// well.
//
// With an endpoint (Endpoint, AWS_ENDPOINT_URL_DYNAMODB or AWS_ENDPOINT_URL) or
// with AWS credentials (in the environment, in a shared profile, a web identity
// or a container's), it is that table. With neither it is the local engine. An
// EC2 instance role cannot be seen without asking for it, so there the endpoint
// has to be set.
type Settings struct {
	TableName string `name:"table-name" env:"TABLE_NAME" default:"partita" help:"Name of the DynamoDB table."`
	Endpoint  string `name:"dynamodb-endpoint" env:"DYNAMODB_ENDPOINT" help:"URL of DynamoDB or of what speaks its protocol. Without it and without AWS credentials the local engine is started."`
	Region    string `name:"region" env:"AWS_REGION,AWS_DEFAULT_REGION" help:"AWS region; a shared profile's region when empty."`
	DataDir   string `name:"data-dir" env:"DATA_DIR" default:".data" type:"path" help:"Where the local engine keeps its data."`
	Engine    string `name:"engine" env:"DYNOXIDE" help:"Path of the local engine's binary; node_modules is searched when empty."`

	MaxConnections int           `name:"dynamodb-connections" env:"DYNAMODB_CONNECTIONS" default:"256" help:"Connections to DynamoDB at most, all of them kept alive: requests beyond wait for one."`
	RequestTimeout time.Duration `name:"dynamodb-timeout" env:"DYNAMODB_TIMEOUT" default:"3s" help:"How long one attempt of a request may take before it is retried."`
	StartTimeout   time.Duration `name:"start-timeout" env:"START_TIMEOUT" default:"5s" help:"How long the table may take to answer at start."`

	// Seed fills the table of a local engine that has no data yet, at the
	// engine's own bulk speed. Nil leaves it without a table.
	Seed iter.Seq[item.Item] `kong:"-"`
}

func (s Settings) withDefaults() Settings {
	s.TableName = cmp.Or(s.TableName, DefaultTableName)
	s.DataDir = cmp.Or(s.DataDir, DefaultDataDir)
	s.MaxConnections = cmp.Or(s.MaxConnections, DefaultMaxConnections)
	s.RequestTimeout = cmp.Or(s.RequestTimeout, DefaultRequestTimeout)
	s.StartTimeout = cmp.Or(s.StartTimeout, DefaultStartTimeout)
	return s
}

// endpoint is the configured one, or "" for that of the region.
func (s Settings) endpoint() string {
	return cmp.Or(s.Endpoint, os.Getenv("AWS_ENDPOINT_URL_DYNAMODB"), os.Getenv("AWS_ENDPOINT_URL"))
}

// Local reports whether Open would start the local engine.
func (s Settings) Local(ctx context.Context) bool {
	return s.endpoint() == "" && !credentialsConfigured(ctx)
}

// tableName is what DynamoDB takes as a table's name, or as the ARN of one in
// another account.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
var tableName = regexp.MustCompile(`^([a-zA-Z0-9_.-]{3,255}|arn:[a-z0-9-]+:dynamodb:[a-z0-9-]+:[0-9]{12}:table/[a-zA-Z0-9_.-]{3,255})$`)

func (s Settings) check() error {
	if !tableName.MatchString(s.TableName) {
		return &exit.Error{
			Problem: fmt.Sprintf("DynamoDB has no table of the name %q", s.TableName),
			Fix:     "set TABLE_NAME to 3 to 255 letters, digits, _, - and ., or to the table's ARN",
			Code:    exit.Config,
		}
	}
	if s.MaxConnections < 0 {
		return &exit.Error{
			Problem: fmt.Sprintf("%d is no number of connections", s.MaxConnections),
			Fix:     "set DYNAMODB_CONNECTIONS to 1 or more, or leave it out",
			Code:    exit.Config,
		}
	}
	endpoint := s.endpoint()
	if endpoint == "" {
		return nil
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return &exit.Error{
			Problem: fmt.Sprintf("the DynamoDB endpoint %q is not a URL", endpoint),
			Fix:     "set DYNAMODB_ENDPOINT to something like http://localhost:8000 or https://dynamodb.eu-central-1.amazonaws.com",
			Code:    exit.Config, Err: err,
		}
	}
	return nil
}

// credentialsConfigured reports whether the SDK's credential chain would find
// anything before it asks the EC2 instance metadata service.
//
// https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
func credentialsConfigured(ctx context.Context) bool {
	for _, name := range []string{
		"AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
	} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	env, err := config.NewEnvConfig()
	if err != nil {
		return true // malformed settings are for AWS, and are reported by Open
	}
	p, err := config.LoadSharedConfigProfile(ctx, "default", func(o *config.LoadSharedConfigOptions) {
		if env.SharedCredentialsFile != "" {
			o.CredentialsFiles = []string{env.SharedCredentialsFile}
		}
		if env.SharedConfigFile != "" {
			o.ConfigFiles = []string{env.SharedConfigFile}
		}
	})
	return err == nil && (p.Credentials.HasKeys() || p.RoleARN != "" || p.CredentialProcess != "" ||
		p.SSOSessionName != "" || p.SSOStartURL != "" || p.LoginSession != "")
}
