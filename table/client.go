package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go/logging"
	"github.com/aws/smithy-go/middleware"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/table/attempt"
	"github.com/partita/partita/request"
)

const (
	// maxAttempts makes a request that is throttled 3 times in 10 fail less than
	// once in a million times. If every attempt fails at once, that takes about 3 s.
	maxAttempts = 12

	dialTimeout = 2 * time.Second
	// idleTimeout is well under the 350 s after which AWS network load
	// balancers and NAT gateways forget a connection.
	idleTimeout = 90 * time.Second
	// localRegion is in the signature of requests to an endpoint without regions.
	localRegion = "us-east-1"
)

// newClients returns the clients of DynamoDB and of its streams for the endpoint, or for the region's own if it is "".
// The transport is for closing their connections.
func newClients(ctx context.Context, s Settings, endpoint string, clock *clock, log *slog.Logger) (
	*dynamodb.Client, *dynamodbstreams.Client, *http.Transport, error,
) {
	cfg, err := loadConfig(ctx, s, endpoint)
	if err != nil {
		return nil, nil, nil, err
	}
	cfg.Logger = logging.LoggerFunc(func(_ logging.Classification, format string, args ...any) {
		log.Debug("aws sdk", "message", fmt.Sprintf(format, args...))
	})
	transport := newTransport(cfg, s)
	sender := httpClient{&http.Client{
		Transport:     transport,
		Timeout:       s.RequestTimeout, // the response's body included
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	client := dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		if endpoint != "" {
			o.BaseEndpoint = aws.String(endpoint)
		}
		o.HTTPClient, o.Retryer = sender, newRetryer(s)
		o.APIOptions = append(o.APIOptions, observeAttempts(clock))
		// TLS and TCP already protect the bytes; this CRC costs a second read.
		o.DisableValidateResponseChecksum = true
	})
	streams := dynamodbstreams.NewFromConfig(cfg, func(o *dynamodbstreams.Options) {
		// The streams of Amazon have an endpoint of their own in each region, those of other servers that of the tables.
		if endpoint != "" && !isAmazon(endpoint) && os.Getenv(streamsEndpoint) == "" {
			o.BaseEndpoint = aws.String(endpoint)
		}
		o.HTTPClient, o.Retryer = sender, newRetryer(s)
		o.APIOptions = append(o.APIOptions, observeAttempts(clock))
	})
	return client, streams, transport, nil
}

// streamsEndpoint is the variable of the AWS SDK with the endpoint of streams.
const streamsEndpoint = "AWS_ENDPOINT_URL_DYNAMODB_STREAMS"

func loadConfig(ctx context.Context, s Settings, endpoint string) (aws.Config, error) {
	var options []func(*config.LoadOptions) error
	if s.Region != "" {
		options = append(options, config.WithRegion(s.Region))
	}
	amazon := endpoint == "" || isAmazon(endpoint)
	if !amazon && !credentialsConfigured(ctx) {
		options = append(options, config.WithCredentialsProvider(
			credentials.NewStaticCredentialsProvider("local", "local", "")))
	}
	cfg, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return cfg, &exit.Error{
			Problem: fmt.Sprintf("the AWS settings cannot be read (%v)", err),
			Fix:     "check the AWS_ variables and the files in ~/.aws",
			Code:    exit.Config, Err: err,
		}
	}
	if cfg.Region == "" {
		if amazon {
			return cfg, &exit.Error{
				Problem: "Amazon DynamoDB needs a region",
				Fix:     "set AWS_REGION, or a region in the profile",
				Code:    exit.Config,
			}
		}
		cfg.Region = localRegion
	}
	inner := cfg.Credentials
	cfg.Credentials = aws.CredentialsProviderFunc(func(ctx context.Context) (aws.Credentials, error) {
		c, err := inner.Retrieve(ctx)
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("%w: %w", request.ErrAccessDenied, err)
		}
		return c, err
	})
	return cfg, nil
}

// isAmazon reports whether the endpoint is AWS's own, which needs real credentials.
func isAmazon(endpoint string) bool {
	u, err := url.Parse(endpoint)
	if err != nil {
		return false
	}
	for _, suffix := range []string{".amazonaws.com", ".amazonaws.com.cn", ".api.aws"} {
		if strings.HasSuffix(u.Hostname(), suffix) {
			return true
		}
	}
	return false
}

// newTransport returns a transport that keeps as many idle connections as it opens at most. Every
// operation sends several requests at once; with the SDK's default of ten idle connections,
// connections are closed and opened again whenever two operations overlap.
func newTransport(cfg aws.Config, s Settings) *http.Transport {
	base, ok := cfg.HTTPClient.(*awshttp.BuildableClient) // with AWS_CA_BUNDLE applied
	if !ok {
		base = awshttp.NewBuildableClient()
	}
	t := base.GetTransport()
	dialer := net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}
	t.DialContext = dialer.DialContext
	t.TLSHandshakeTimeout = dialTimeout
	t.MaxConnsPerHost = s.MaxConnections
	t.MaxIdleConnsPerHost = s.MaxConnections
	t.MaxIdleConns = s.MaxConnections
	t.IdleConnTimeout = idleTimeout
	return t
}

// httpClient sends requests so that their connections can be kept. The SDK
// closes a request's body once the response has arrived. Its WriteTo then returns
// io.EOF. If net/http is just checking for bytes beyond the Content-Length, it
// regards that as a failed write and closes the connection: about one request in a
// thousand. Read does not have this problem.
type httpClient struct{ *http.Client }

func (c httpClient) Do(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		r.Body = struct{ io.ReadCloser }{r.Body} // hides WriteTo
	}
	return c.Client.Do(r)
}

// newRetryer returns a retryer without a retry quota that all requests share: with a quota, a burst
// of throttling fails operations whose deadline leaves time to retry. Once the Service has ended,
// nothing is retried.
func newRetryer(s Settings) aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = maxAttempts
		o.RateLimiter = ratelimit.None
		o.Backoff = retry.BackoffDelayerFunc(func(attempt int, _ error) (time.Duration, error) {
			return request.Backoff(attempt), nil
		})
		gone := retry.IsErrorRetryableFunc(func(error) aws.Ternary {
			if s.serviceError() != nil {
				return aws.FalseTernary
			}
			return aws.UnknownTernary
		})
		// The first that does not return UnknownTernary decides.
		o.Retryables = append([]retry.IsErrorRetryable{gone}, o.Retryables...)
		o.Retryables = append(o.Retryables, retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
			// A connection that broke inside a response.
			if errors.Is(err, io.ErrUnexpectedEOF) {
				return aws.TrueTernary
			}
			return aws.UnknownTernary
		}))
	})
}

type attemptsKey struct{}

// observeAttempts counts the attempts of a call in the Counter of its context, and sets the clock.
func observeAttempts(clock *clock) func(*middleware.Stack) error {
	observe := func(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (
		middleware.FinalizeOutput, middleware.Metadata, error,
	) {
		counter, ok := ctx.Value(attemptsKey{}).(*attempt.Counter)
		if ok {
			if err := counter.Pass(ctx); err != nil {
				return middleware.FinalizeOutput{}, middleware.Metadata{}, err
			}
		}
		out, metadata, err := next.HandleFinalize(ctx, in)
		if ok {
			counter.Add(ctx, err)
		}
		if ahead, ok := awsmiddleware.GetAttemptSkew(metadata); ok {
			clock.set(ahead)
		}
		return out, metadata, err
	}
	return func(stack *middleware.Stack) error {
		return stack.Finalize.Insert(
			middleware.FinalizeMiddlewareFunc("PartitaAttempts", observe), "Retry", middleware.After)
	}
}
