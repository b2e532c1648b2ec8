package service

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// MaxConnections is how many connections to DynamoDB are kept, as many as Partita keeps. With the default of ten,
// connections are closed and opened again whenever two operations overlap.
const MaxConnections = 256

// NewClient returns the SDK's client.
func NewClient(ctx context.Context) (*dynamodb.Client, error) {
	client := awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
		t.MaxIdleConns, t.MaxIdleConnsPerHost = MaxConnections, MaxConnections
	})
	cfg, err := config.LoadDefaultConfig(ctx, config.WithHTTPClient(httpClient{client}))
	return dynamodb.NewFromConfig(cfg), err
}

// httpClient avoids retries, as Partita does. The SDK closes the body of a request once the response has arrived. Its
// WriteTo can then return io.EOF, and net/http closes the connection: about one request in a thousand.
type httpClient struct{ *awshttp.BuildableClient }

// Do hides WriteTo.
func (c httpClient) Do(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		r.Body = struct{ io.ReadCloser }{r.Body}
	}
	return c.BuildableClient.Do(r)
}

// Item is an item as the SDK returns it. Attributes are read one by one: attributevalue.UnmarshalMap needs reflection.
type Item map[string]types.AttributeValue

// Text returns a string attribute, or "".
func (i Item) Text(name string) string {
	if s, ok := i[name].(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

// Int returns a number attribute, or 0.
func (i Item) Int(name string) int {
	n, ok := i[name].(*types.AttributeValueMemberN)
	if !ok {
		return 0
	}
	v, _ := strconv.Atoi(n.Value) // the shop stores integers only
	return v
}

// Money returns the attributes of an amount of money.
func (i Item) Money(name string) (amount int, currency string) {
	m, _ := i[name].(*types.AttributeValueMemberM)
	if m == nil {
		return 0, ""
	}
	return Item(m.Value).Int("amount"), Item(m.Value).Text("currency")
}

// ParseTime returns a stored time.
func ParseTime(text string) time.Time {
	at, _ := time.Parse(time.RFC3339, text) // the shop stores times in this format only
	return at
}
