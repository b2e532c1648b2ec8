package table

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"time"

	"github.com/aws/aws-sdk-go-v2/config"

	"github.com/partita/partita/exit"
)

// Settings are the location of the table and how to reach it. The tags are for kong, so that a
// command can embed the struct; Open sets zero fields to the defaults in the tags. Everything else
// that the AWS SDK reads from the environment and from shared files (AWS_PROFILE, AWS_CA_BUNDLE,
// ...) applies as well.
type Settings struct {
	TableName string `name:"table-name" env:"TABLE_NAME" default:"partita" help:"Name of the DynamoDB table."`
	Endpoint  string `name:"dynamodb-endpoint" env:"DYNAMODB_ENDPOINT" help:"URL of DynamoDB or of a compatible server. Without it and without AWS credentials, the local engine is started."`

	TenantClaim string `name:"tenant-claim" env:"TENANT_CLAIM" placeholder:"CLAIM" help:"The claim of a token whose value, the viewer's tenant, precedes each partition key. Without it, the table has no tenants."`

	MaxConnections int           `name:"dynamodb-connections" env:"DYNAMODB_CONNECTIONS" default:"256" range:"1..65535" help:"Maximum number of connections to DynamoDB. They are kept alive; further requests wait for one."`
	RequestTimeout time.Duration `name:"dynamodb-timeout" env:"DYNAMODB_TIMEOUT" default:"3s" range:"1ms..24h" help:"How long one attempt of a request may take before it is retried."`

	// Region replaces that of the environment (AWS_REGION, AWS_DEFAULT_REGION) or of the profile.
	Region string `kong:"-"`
	// Stream says that the table has a stream also if the schema has no live fields: for the cache of items.
	Stream bool `kong:"-"`
	// StartTimeout is how long the table may take to respond at start, and at each readiness check: by default one attempt
	// of a request, and 2 s for another one.
	StartTimeout time.Duration `kong:"-"`
	// Service is the endpoint if this process runs it; nil for any other. Package
	// local sets it.
	Service Service `kong:"-"`
	// BySDK sends the requests that serve operations by the AWS SDK, as all others: tests compare it with package wire,
	// which otherwise sends those that it can.
	BySDK bool `kong:"-"`
	// CreateCommand is the command that creates the table, in messages; "partita table create" by default.
	CreateCommand string `kong:"-"`
}

// Apply returns the schema of a table with tenants, and with a stream, if the Settings say so.
func (s Settings) Apply(schema Schema) Schema {
	schema.Tenants = schema.Owner == nil && (schema.Tenants || s.TenantClaim != "")
	schema.Stream = schema.Stream || s.Stream
	return schema
}

func (s Settings) createCommand() string { return cmp.Or(s.CreateCommand, "partita table create") }

// Service is an endpoint that this process runs.
type Service interface {
	// Endpoint is its URL.
	Endpoint() string
	// Err is nil while the service runs. Once it returns an error, requests fail
	// with that error without being sent.
	Err() error
	// String names the service in messages.
	String() string
}

// serviceError returns the Service's Err, or nil without a Service.
func (s Settings) serviceError() error {
	if s.Service == nil {
		return nil
	}
	return s.Service.Err()
}

// endpoint returns the configured endpoint, or "" for that of the region.
func (s Settings) endpoint() string {
	if s.Service != nil {
		return s.Service.Endpoint()
	}
	return cmp.Or(s.Endpoint, os.Getenv("AWS_ENDPOINT_URL_DYNAMODB"), os.Getenv("AWS_ENDPOINT_URL"))
}

// IsRemote reports whether the Settings or the environment name an endpoint
// (Endpoint, AWS_ENDPOINT_URL_DYNAMODB or AWS_ENDPOINT_URL) or AWS credentials (in
// the environment, in a shared profile, a web identity or a container's). An EC2
// instance role cannot be detected without a request, so there the endpoint must
// be set.
func (s Settings) IsRemote(ctx context.Context) bool {
	return s.endpoint() != "" || credentialsConfigured(ctx)
}

// IsCompatible reports whether the endpoint is neither AWS's own nor a Service: a server that is compatible with
// DynamoDB, and may lack something.
func (s Settings) IsCompatible() bool {
	endpoint := s.endpoint()
	return s.Service == nil && endpoint != "" && !isAmazon(endpoint)
}

// tableName matches the name of a table, and the ARN of one in another account.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
var tableName = regexp.MustCompile(
	`^(arn:[a-z0-9-]+:dynamodb:[a-z0-9-]+:[0-9]{12}:table/)?[a-zA-Z0-9_.-]{3,255}$`)

// Check returns a *exit.Error if a setting is invalid.
func (s Settings) Check() error {
	if !tableName.MatchString(s.TableName) {
		return &exit.Error{
			Problem: fmt.Sprintf("%q cannot be the name of a DynamoDB table", s.TableName),
			Fix:     "set TABLE_NAME to 3 to 255 letters, digits, _, - and ., or to the table's ARN",
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
			Fix: "set DYNAMODB_ENDPOINT to a URL such as http://localhost:8000 or " +
				"https://dynamodb.eu-central-1.amazonaws.com",
			Code: exit.Config, Err: err,
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
