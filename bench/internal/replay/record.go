package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
)

// actionPrefix begins the header X-Amz-Target.
const actionPrefix = "DynamoDB_20120810."

// record gets the answer to a request from the endpoint.
func (c *exchange) record(ctx context.Context, request fingerprint, keys []key) error {
	if len(keys) > 0 {
		return c.recordKeys(ctx, request, keys)
	}
	status, body, err := c.forward(ctx, string(c.action), c.body)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers[request] = respond(nil, status, body)
	return nil
}

// recordKeys gets the item of each key.
func (c *exchange) recordKeys(ctx context.Context, request fingerprint, keys []key) error {
	var batch struct {
		RequestItems           map[string]map[string]json.RawMessage
		ReturnConsumedCapacity json.RawMessage
	}
	if err := json.Unmarshal(c.body, &batch); err != nil {
		return err
	}
	if len(batch.RequestItems) != 1 {
		return fmt.Errorf("replay: a BatchGetItem has keys of %d tables; only one is supported", len(batch.RequestItems))
	}
	for table, get := range batch.RequestItems {
		delete(get, "Keys")
		get["TableName"] = strconv.AppendQuote(nil, table)
		if batch.ReturnConsumedCapacity != nil {
			get["ReturnConsumedCapacity"] = batch.ReturnConsumedCapacity
		}
		for _, k := range keys {
			if err := c.recordKey(ctx, itemKey{request, k.fingerprint}, get, k.text); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *exchange) recordKey(ctx context.Context, id itemKey, get map[string]json.RawMessage, key []byte) error {
	get["Key"] = key
	body, err := json.Marshal(get)
	if err != nil {
		return err
	}
	status, body, err := c.forward(ctx, actionPrefix+"GetItem", body)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("replay: GetItem returned status %d: %s", status, body)
	}
	var answer struct {
		Item             json.RawMessage
		ConsumedCapacity struct{ CapacityUnits float64 }
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.items[id] = &item{text: answer.Item, units: answer.ConsumedCapacity.CapacityUnits}
	return nil
}

// forward sends a body to the endpoint. Local endpoints accept any signature.
func (p *Proxy) forward(ctx context.Context, action string, body []byte) (status int, answer []byte, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.target, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", action)
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=bench/20261121/us-east-1/dynamodb/aws4_request, "+
		"SignedHeaders=host;x-amz-date;x-amz-target, Signature=0")
	r.Header.Set("X-Amz-Date", "20261121T080000Z")
	response, err := p.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err = io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

// compose returns the response to a BatchGetItem, unless a key is unknown. The caller has the lock.
func (c *exchange) compose(request fingerprint, keys []key) (response []byte, missing bool) {
	table := tableName(c.body)
	body := c.batch[:0]
	body = append(append(append(body, `{"Responses":{`...), table...), ":["...)
	units, first := 0.0, true
	for _, k := range keys {
		it := c.items[itemKey{request, k.fingerprint}]
		if it == nil {
			return nil, true
		}
		units += it.units
		if it.text == nil {
			continue
		}
		if !first {
			body = append(body, ',')
		}
		body, first = append(body, it.text...), false
	}
	body = append(body, `]},"UnprocessedKeys":{}`...)
	if units > 0 {
		body = append(append(body, `,"ConsumedCapacity":[{"TableName":`...), table...)
		body = append(strconv.AppendFloat(append(body, `,"CapacityUnits":`...), units, 'f', -1, 64), "}]"...)
	}
	body = append(body, '}')
	c.batch = body
	c.response = respond(c.response[:0], http.StatusOK, c.batch)
	return c.response, false
}

// tableName returns the name of the table of a BatchGetItem, in quotes.
func tableName(body []byte) []byte {
	const member = `"RequestItems"`
	rest := body[bytes.Index(body, []byte(member))+len(member):]
	start := bytes.IndexByte(rest, '"')
	end := bytes.IndexByte(rest[start+1:], '"')
	return slices.Clip(rest[start : start+end+2])
}
