package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go/encoding/httpbinding"

	"github.com/partita/partita/keys"
)

// operation is a kind of request.
type operation int

const (
	getItem operation = iota
	batchGetItem
	query
	getRecords
	putItem // The others write.
	updateItem
	deleteItem
	transactWriteItems
	operations // how many
)

// isWrite reports whether an operation must not be sent again on a new connection because an idle one was closed: it
// may have been carried out.
func (op operation) isWrite() bool { return op >= putItem }

// route is where the requests of an operation are sent, and what is the same in all of them.
type route struct {
	address address
	// host is the Host header.
	host string
	// path is the path of the endpoint's URL, and canonicalPath the same as it is signed.
	path, canonicalPath string
	region, service     string
	// target and userAgent are headers.
	target, userAgent string
	// accountID is the account for which the SDK resolved the endpoint.
	accountID string
	// unsupported is an error that wraps ErrUnsupported, or nil.
	unsupported error
}

// ErrUnsupported means that a request was not sent, because only the SDK can send it: there is a proxy on the way,
// endpoint discovery is enabled, or the SDK would not sign with Signature Version 4.
var ErrUnsupported = errors.New("wire: only the SDK can send requests here")

// route returns the operation's route. The endpoint depends on the credentials by their account alone.
func (c *Client) route(ctx context.Context, op operation, creds aws.Credentials) (*route, error) {
	if r := c.routes[op].Load(); r != nil && r.accountID == creds.AccountID {
		return r, nil
	}
	r, err := c.resolve(ctx, op, creds)
	if err != nil {
		return nil, err
	}
	c.routes[op].Store(r)
	return r, nil
}

// resolve lets the SDK build and sign a request of the operation, which is not sent, and returns where it would
// have been sent. So the endpoint is the same for all settings that the SDK has or will have.
func (c *Client) resolve(ctx context.Context, op operation, creds aws.Credentials) (*route, error) {
	sdk, table := c.settings.SDK, c.settings.Table
	var p probe
	provider := credentials.StaticCredentialsProvider{Value: creds}
	options := func(o *dynamodb.Options) {
		o.HTTPClient, o.Retryer, o.Credentials = &p, aws.NopRetryer{}, provider
	}
	key := map[string]types.AttributeValue{keys.AttributePK: &types.AttributeValueMemberS{}}
	var err error
	switch op {
	case getItem:
		_, err = sdk.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: key}, options)
	case batchGetItem:
		_, err = sdk.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			table: {Keys: []map[string]types.AttributeValue{key}},
		}}, options)
	case query:
		_, err = sdk.Query(ctx, &dynamodb.QueryInput{TableName: &table}, options)
	case putItem:
		_, err = sdk.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: key}, options)
	case updateItem:
		_, err = sdk.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: &table, Key: key}, options)
	case deleteItem:
		_, err = sdk.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &table, Key: key}, options)
	case transactWriteItems:
		_, err = sdk.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Delete: &types.Delete{TableName: &table, Key: key}},
		}}, options)
	default:
		in := &dynamodbstreams.GetRecordsInput{ShardIterator: aws.String("")}
		_, err = c.settings.Streams.GetRecords(ctx, in, func(o *dynamodbstreams.Options) {
			o.HTTPClient, o.Retryer, o.Credentials = &p, aws.NopRetryer{}, provider
		})
	}
	if err != nil {
		return nil, err
	}
	u := p.request.URL
	r := &route{
		address: address{
			secure: u.Scheme == "https", name: u.Hostname(), port: u.Port(),
		},
		host:          cmp.Or(p.request.Host, u.Host),
		path:          u.RequestURI(),
		canonicalPath: httpbinding.EscapePath(u.EscapedPath(), false),
		target:        p.request.Header.Get("X-Amz-Target"),
		userAgent:     p.request.Header.Get("User-Agent"),
		accountID:     creds.AccountID,
	}
	r.region, r.service = signedScope(p.request.Header.Get("Authorization"))
	r.unsupported = c.unsupported(p.request, r)
	return r, nil
}

// unsupported returns an error that wraps ErrUnsupported if only the SDK can send the request.
func (c *Client) unsupported(built *http.Request, r *route) error {
	switch {
	case r.region == "":
		return fmt.Errorf("%w: they are not signed with Signature Version 4", ErrUnsupported)
	case c.settings.SDK.Options().EndpointDiscovery.EnableEndpointDiscovery == aws.EndpointDiscoveryEnabled:
		return fmt.Errorf("%w: endpoint discovery is enabled", ErrUnsupported)
	case c.settings.Proxy == nil:
		return nil
	}
	proxy, err := c.settings.Proxy(built)
	if err != nil || proxy != nil {
		return fmt.Errorf("%w: there is a proxy", ErrUnsupported)
	}
	return nil
}

// signedScope returns the region and the service in an Authorization header, "" if it has another signature.
func signedScope(header string) (region, service string) {
	_, credential, _ := strings.Cut(header, algorithm+" Credential=")
	credential, _, _ = strings.Cut(credential, ",")
	parts := strings.Split(credential, "/")
	if len(parts) < 5 {
		return "", ""
	}
	parts = parts[len(parts)-3:] // an access key could contain a slash
	return parts[0], parts[1]
}

// probe is an HTTP client that keeps the request and returns an empty response.
type probe struct{ request *http.Request }

func (p *probe) Do(r *http.Request) (*http.Response, error) {
	p.request = r
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}")),
	}, nil
}
