package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/partita/partita/request"
)

// TestRoutes: requests go where the SDK would send them.
func TestRoutes(t *testing.T) {
	t.Parallel()
	type options = dynamodb.Options
	for _, c := range []struct {
		name   string
		change func(*options)
		table  string
		want   string // address, Host, path as it is signed, and region
	}{
		{"regional", func(*options) {}, "shop",
			"dynamodb.eu-central-1.amazonaws.com:443 dynamodb.eu-central-1.amazonaws.com / eu-central-1"},
		{"other partition", func(o *options) { o.Region = "cn-north-1" }, "shop",
			"dynamodb.cn-north-1.amazonaws.com.cn:443 dynamodb.cn-north-1.amazonaws.com.cn / cn-north-1"},
		{"dual-stack", func(o *options) {
			o.EndpointOptions.UseDualStackEndpoint = aws.DualStackEndpointStateEnabled
		}, "shop", "dynamodb.eu-central-1.api.aws:443 dynamodb.eu-central-1.api.aws / eu-central-1"},
		{"FIPS", func(o *options) {
			o.Region = "us-east-1"
			o.EndpointOptions.UseFIPSEndpoint = aws.FIPSEndpointStateEnabled
		}, "shop", "dynamodb-fips.us-east-1.amazonaws.com:443 dynamodb-fips.us-east-1.amazonaws.com / us-east-1"},
		{"the region local", func(o *options) { o.Region = "local" }, "shop", "localhost:8000 localhost:8000 / us-east-1"},
		{"custom", func(o *options) { o.BaseEndpoint = aws.String("http://127.0.0.1:8000") }, "shop",
			"127.0.0.1:8000 127.0.0.1:8000 / eu-central-1"},
		{"custom with a path", func(o *options) { o.BaseEndpoint = aws.String("https://[::1]/a b") }, "shop",
			"[::1]:443 [::1] /a%2520b eu-central-1"},
		{"the account of the credentials", func(o *options) {
			o.Credentials = account("111122223333")
			o.AccountIDEndpointMode = aws.AccountIDEndpointModePreferred
		}, "shop",
			"111122223333.ddb.eu-central-1.amazonaws.com:443 111122223333.ddb.eu-central-1.amazonaws.com / eu-central-1"},
		{"the account of the table", func(o *options) {
			o.Credentials = account("111122223333")
			o.AccountIDEndpointMode = aws.AccountIDEndpointModePreferred
		}, "arn:aws:dynamodb:eu-central-1:444455556666:table/shop",
			"444455556666.ddb.eu-central-1.amazonaws.com:443 444455556666.ddb.eu-central-1.amazonaws.com / eu-central-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := options{Region: "eu-central-1", Credentials: account("")}
			c.change(&o)
			client := New(Settings{SDK: dynamodb.New(o), Table: c.table})
			creds := must(o.Credentials.Retrieve(t.Context()))
			for op := range getRecords {
				r := must(client.route(t.Context(), op, creds))
				got := fmt.Sprintf("%s %s %s %s", r.address.dialAddress(), r.host, r.canonicalPath, r.region)
				if got != c.want || r.service != "dynamodb" || r.unsupported != nil {
					t.Errorf("%s: got %s, want %s; %+v", op, got, c.want, r)
				}
				if r.target != "DynamoDB_20120810."+op.String() || !strings.HasPrefix(r.userAgent, "aws-sdk-go-v2/") {
					t.Errorf("%s: got %+v", op, r)
				}
				if again, _ := client.route(t.Context(), op, creds); again != r {
					t.Errorf("%s: the route is resolved again", op)
				}
			}
		})
	}
}

// TestRouteOfStreams: GetRecords goes where the SDK would send it.
func TestRouteOfStreams(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"":                      "streams.dynamodb.eu-central-1.amazonaws.com:443 / eu-central-1 dynamodb",
		"http://127.0.0.1:8000": "127.0.0.1:8000 / eu-central-1 dynamodb",
	} {
		streams := dynamodbstreams.Options{Region: "eu-central-1", Credentials: account("")}
		if endpoint != "" {
			streams.BaseEndpoint = &endpoint
		}
		client := New(Settings{
			SDK:     dynamodb.New(dynamodb.Options{Region: "eu-central-1", Credentials: account("")}),
			Streams: dynamodbstreams.New(streams),
		})
		r := must(client.route(t.Context(), getRecords, aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}))
		got := fmt.Sprintf("%s %s %s %s", r.address.dialAddress(), r.canonicalPath, r.region, r.service)
		if got != want || r.target != "DynamoDBStreams_20120810.GetRecords" || r.unsupported != nil {
			t.Errorf("got %s, want %s; %+v", got, want, r)
		}
	}
}

// TestRouteOfAnotherAccount: credentials of another account change the endpoint.
func TestRouteOfAnotherAccount(t *testing.T) {
	t.Parallel()
	client := New(Settings{Table: "shop", SDK: dynamodb.New(dynamodb.Options{
		Region: "eu-central-1", Credentials: account(""), AccountIDEndpointMode: aws.AccountIDEndpointModePreferred,
	})})
	for _, id := range []string{"111122223333", "444455556666", "111122223333"} {
		creds := must(account(id).Retrieve(t.Context()))
		if r, err := client.route(t.Context(), query, creds); err != nil || !strings.HasPrefix(r.host, id+".") {
			t.Errorf("%s: got %+v, %v", id, r, err)
		}
	}
}

// account returns credentials of an account, "" for those that do not name theirs.
func account(id string) aws.CredentialsProvider {
	return credentials.StaticCredentialsProvider{
		Value: aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret", AccountID: id},
	}
}

// TestUnsupported: what only the SDK can send is not sent.
func TestUnsupported(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*dynamodb.Options, *Settings){
		"proxy": func(_ *dynamodb.Options, s *Settings) {
			s.Proxy = func(r *http.Request) (*url.URL, error) {
				if r.URL.Host != "dynamodb.eu-central-1.amazonaws.com" {
					t.Errorf("a proxy for %s", r.URL)
				}
				return url.Parse("http://127.0.0.1:3128")
			}
		},
		"proxy that is malformed": func(_ *dynamodb.Options, s *Settings) {
			s.Proxy = func(*http.Request) (*url.URL, error) { return nil, errors.New("malformed") }
		},
		"discovery": func(o *dynamodb.Options, _ *Settings) {
			o.EndpointDiscovery.EnableEndpointDiscovery = aws.EndpointDiscoveryEnabled
		},
		"anonymous": func(o *dynamodb.Options, _ *Settings) { o.Credentials = aws.AnonymousCredentials{} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := dynamodb.Options{Region: "eu-central-1", Credentials: account("")}
			s := Settings{Table: "shop"}
			change(&o, &s)
			s.SDK = dynamodb.New(o)
			if got, err := New(s).GetItem(t.Context(), aRead); !errors.Is(err, ErrUnsupported) || got.Retries != 0 {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

// rotating are credentials that a test changes.
type rotating struct {
	mu    sync.Mutex
	value aws.Credentials
	err   error
}

func (r *rotating) Retrieve(context.Context) (aws.Credentials, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.value, r.err
}

func (r *rotating) set(c aws.Credentials, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.value, r.err = c, err
}

// TestCredentialsRotate: each request has the credentials of its time, and nothing is sent without any.
func TestCredentialsRotate(t *testing.T) {
	t.Parallel()
	received := make(chan *http.Request, 1)
	s := serve(t, false, func(c *connection) {
		for {
			r, err := http.ReadRequest(c.in)
			if err != nil {
				return
			}
			if _, err := c.in.Discard(int(r.ContentLength)); err != nil {
				return
			}
			received <- r
			c.send(ok(anItem))
		}
	})
	provider := &rotating{}
	client := newClient(t, s.url, 1, func(o *Settings) {
		options := o.SDK.Options()
		options.Credentials = provider
		o.SDK = dynamodb.New(options)
	})
	for _, creds := range []aws.Credentials{
		{AccessKeyID: "first", SecretAccessKey: "a"},
		{AccessKeyID: "second", SecretAccessKey: "b", SessionToken: "token"},
		{AccessKeyID: "second", SecretAccessKey: "c", SessionToken: "other"},
		{AccessKeyID: "second", SecretAccessKey: "c", AccountID: "111122223333"},
	} {
		provider.set(creds, nil)
		wantItem(t, client, 0)
		r := <-received
		if !strings.Contains(r.Header.Get("Authorization"), "Credential="+creds.AccessKeyID+"/") ||
			r.Header.Get("X-Amz-Security-Token") != creds.SessionToken {
			t.Errorf("%s: got %v", creds.AccessKeyID, r.Header)
		}
		if k := client.signer.key.Load(); k.secret != creds.SecretAccessKey {
			t.Errorf("%s: signed with %s", creds.AccessKeyID, k.secret)
		}
	}
	provider.set(aws.Credentials{}, fmt.Errorf("%w: expired", request.ErrAccessDenied))
	wantError(t, client, request.ErrAccessDenied, 0)
}
