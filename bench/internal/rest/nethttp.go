package rest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

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
	return &httpTable{&http.Client{Transport: transport, Timeout: 30 * time.Second}, endpoint, name, s}
}

// begin returns the beginning of the body of a request.
func (t *httpTable) begin() []byte {
	return appendText(append(make([]byte, 0, 1024), `{"TableName":`...), t.name)
}

func (t *httpTable) getItem(ctx context.Context, k key) (found attributes, err error) {
	body := append(appendKey(append(t.begin(), `,"Key":{`...), k), "}}"...)
	err = t.call(ctx, "GetItem", body, func(d *decoder, name string) {
		if name == "Item" {
			found = d.item()
		} else {
			d.skip()
		}
	})
	return found, err
}

func (t *httpTable) batchGetItem(ctx context.Context, keys []key) (items []attributes, unprocessed []key, err error) {
	body := append(appendText([]byte(`{"RequestItems":{`), t.name), `:{"Keys":[`...)
	for i, k := range keys {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(appendKey(append(body, '{'), k), '}')
	}
	body = append(body, "]}}}"...)
	err = t.call(ctx, "BatchGetItem", body, func(d *decoder, name string) {
		switch name {
		case "Responses":
			d.members(func(string) { items = d.items() })
		case "UnprocessedKeys":
			d.members(func(string) {
				d.members(func(string) {
					for _, it := range d.items() {
						unprocessed = append(unprocessed, keyOf(it))
					}
				})
			})
		default:
			d.skip()
		}
	})
	return items, unprocessed, err
}

func (t *httpTable) query(ctx context.Context, q query) (items []attributes, err error) {
	body := t.begin()
	if q.index != "" {
		body = appendText(append(body, `,"IndexName":`...), q.index)
	}
	body = appendText(append(body, `,"KeyConditionExpression":`...), q.condition())
	body = appendValue(append(body, `,"ExpressionAttributeValues":{":pk":`...), q.pk)
	if q.sk != "" {
		body = appendValue(append(body, `,":sk":`...), q.sk)
	}
	body = strconv.AppendInt(append(body, `},"Limit":`...), int64(q.limit), 10)
	body = append(strconv.AppendBool(append(body, `,"ScanIndexForward":`...), !q.descending), '}')
	err = t.call(ctx, "Query", body, func(d *decoder, name string) {
		if name == "Items" {
			items = d.items()
		} else {
			d.skip()
		}
	})
	return items, err
}

func (t *httpTable) update(ctx context.Context, w write) (found attributes, err error) {
	body := append(appendWrite(t.begin(), w), `,"ReturnValues":"ALL_NEW"}`...)
	err = t.call(ctx, "UpdateItem", body, func(d *decoder, name string) {
		if name == "Attributes" {
			found = d.item()
		} else {
			d.skip()
		}
	})
	return found, err
}

func (t *httpTable) transact(ctx context.Context, writes []write) error {
	body := append(appendText([]byte(`{"ClientRequestToken":`), uuid.NewString()), `,"TransactItems":[`...)
	for i, w := range writes {
		if i > 0 {
			body = append(body, ',')
		}
		kind := `{"Update":{"TableName":`
		if w.item != nil {
			kind = `{"Put":{"TableName":`
		}
		body = append(appendWrite(appendText(append(body, kind...), t.name), w), "}}"...)
	}
	body = append(body, "]}"...)
	return t.call(ctx, "TransactWriteItems", body, func(d *decoder, _ string) { d.skip() })
}

// call sends one request, and calls a function at each member of its response. Nothing is retried.
func (t *httpTable) call(ctx context.Context, action string, body []byte, member func(d *decoder, name string)) error {
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
	var answer strings.Builder
	answer.Grow(int(max(response.ContentLength, 0)))
	if _, err := io.Copy(&answer, response.Body); err != nil {
		return err
	}
	switch text := answer.String(); {
	case response.StatusCode == http.StatusOK:
		d := &decoder{text: text}
		d.members(func(name string) { member(d, name) })
		return d.err
	case strings.Contains(text, "#ConditionalCheckFailedException"),
		strings.Contains(text, "#TransactionCanceledException"):
		return errCondition
	default:
		return fmt.Errorf("%s returned status %d: %s", action, response.StatusCode, text)
	}
}
