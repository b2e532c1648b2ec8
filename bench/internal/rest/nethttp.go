package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/partita/partita/bench/internal/service"
)

// httpTable is the table through net/http.
type httpTable struct {
	client   *http.Client
	endpoint string
	name     string
	signer   *signer
}

func newHTTPTable(endpoint, name string, s *signer) *httpTable {
	transport := &http.Transport{
		MaxIdleConns: service.MaxConnections, MaxIdleConnsPerHost: service.MaxConnections, DisableCompression: true,
	}
	return &httpTable{&http.Client{Transport: transport, Timeout: 3 * time.Second}, endpoint, name, s}
}

// Attribute values in DynamoDB's JSON.
type (
	text   struct{ S string }
	number struct {
		N int `json:",string"` // the shop stores integers only
	}
	amount struct {
		M struct {
			Amount   number `json:"amount"`
			Currency text   `json:"currency"`
		}
	}
)

// httpKey is a key.
type httpKey struct{ PK, SK text }

func newHTTPKey(k key) httpKey { return httpKey{text{k.pk}, text{k.sk}} }

// httpItem is an item of any type with the attributes that the handlers read. A struct is parsed faster than a map.
type httpItem struct {
	httpKey
	GSI1SK         text
	ID             text   `json:"id"`
	Name           text   `json:"name"`
	Email          text   `json:"email"`
	CreatedAt      text   `json:"createdAt"`
	FollowedAt     text   `json:"followedAt"`
	UserID         text   `json:"userId"`
	FollowerID     text   `json:"followerId"`
	Status         text   `json:"status"`
	Sku            text   `json:"sku"`
	OrderCount     number `json:"orderCount"`
	FollowerCount  number `json:"followerCount"`
	FollowingCount number `json:"followingCount"`
	Line           number `json:"line"`
	Quantity       number `json:"quantity"`
	Total          amount `json:"total"`
	Price          amount `json:"price"`
}

// Text implements attributes.
func (i *httpItem) Text(name string) string {
	switch name {
	case "PK":
		return i.PK.S
	case "SK":
		return i.SK.S
	case "GSI1SK":
		return i.GSI1SK.S
	case "id":
		return i.ID.S
	case "name":
		return i.Name.S
	case "email":
		return i.Email.S
	case "createdAt":
		return i.CreatedAt.S
	case "followedAt":
		return i.FollowedAt.S
	case "userId":
		return i.UserID.S
	case "followerId":
		return i.FollowerID.S
	case "status":
		return i.Status.S
	case "sku":
		return i.Sku.S
	}
	return ""
}

// Int implements attributes.
func (i *httpItem) Int(name string) int {
	switch name {
	case "orderCount":
		return i.OrderCount.N
	case "followerCount":
		return i.FollowerCount.N
	case "followingCount":
		return i.FollowingCount.N
	case "line":
		return i.Line.N
	case "quantity":
		return i.Quantity.N
	}
	return 0
}

// Money implements attributes.
func (i *httpItem) Money(name string) (int, string) {
	m := i.Total.M
	if name == "price" {
		m = i.Price.M
	}
	return m.Amount.N, m.Currency.S
}

func (t *httpTable) getItem(ctx context.Context, k key) (attributes, error) {
	in := struct {
		TableName string
		Key       httpKey
	}{t.name, newHTTPKey(k)}
	var out struct{ Item *httpItem }
	if err := t.call(ctx, "GetItem", in, &out); err != nil || out.Item == nil {
		return nil, err
	}
	return out.Item, nil
}

type httpKeys struct{ Keys []httpKey }

func (t *httpTable) batchGetItem(ctx context.Context, keys []key) ([]attributes, []key, error) {
	all := make([]httpKey, len(keys))
	for i, k := range keys {
		all[i] = newHTTPKey(k)
	}
	in := struct{ RequestItems map[string]httpKeys }{map[string]httpKeys{t.name: {all}}}
	var out struct {
		Responses       map[string][]httpItem
		UnprocessedKeys map[string]httpKeys
	}
	if err := t.call(ctx, "BatchGetItem", in, &out); err != nil {
		return nil, nil, err
	}
	var unprocessed []key
	for _, k := range out.UnprocessedKeys[t.name].Keys {
		unprocessed = append(unprocessed, key{k.PK.S, k.SK.S})
	}
	return httpItems(out.Responses[t.name]), unprocessed, nil
}

func (t *httpTable) query(ctx context.Context, q query) ([]attributes, error) {
	values := map[string]text{":pk": {q.pk}}
	if q.sk != "" {
		values[":sk"] = text{q.sk}
	}
	in := struct {
		TableName                 string
		IndexName                 string `json:",omitempty"`
		KeyConditionExpression    string
		ExpressionAttributeValues map[string]text
		Limit                     int
		ScanIndexForward          bool
	}{
		t.name, q.index, q.condition(), values, q.limit, !q.descending,
	}
	var out struct{ Items []httpItem }
	if err := t.call(ctx, "Query", in, &out); err != nil {
		return nil, err
	}
	return httpItems(out.Items), nil
}

func httpItems(items []httpItem) []attributes {
	all := make([]attributes, len(items))
	for i := range items {
		all[i] = &items[i]
	}
	return all
}

// call sends one request. Nothing is retried.
func (t *httpTable) call(ctx context.Context, action string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+action)
	t.signer.sign(r, body, time.Now())
	response, err := t.client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s returned status %d: %s", action, response.StatusCode, answer)
	}
	return json.Unmarshal(answer, out)
}
