package subscriber

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// Events returns a connection that has one subscription, over server-sent events. The authorization is a value of the
// header of that name; "" is an anonymous caller.
func Events(client *http.Client, url, authorization string) Connection {
	return &events{client: client, url: url, authorization: authorization, cancel: func() {}}
}

type events struct {
	client             *http.Client
	url, authorization string
	cancel             context.CancelFunc

	id       string
	body     io.Closer
	lines    *bufio.Reader
	rejected *Response // in place of a stream
}

// Subscribe implements Connection.
func (e *events) Subscribe(ctx context.Context, id string, r Request) error {
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	ctx, e.cancel = context.WithCancel(ctx)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	if e.authorization != "" {
		request.Header.Set("Authorization", e.authorization)
	}
	response, err := e.client.Do(request) //nolint:bodyclose // Cut closes it
	if err != nil {
		return err
	}
	e.body = response.Body
	e.id, e.lines = id, bufio.NewReader(response.Body)
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind == "text/event-stream" {
		return nil
	}
	if err := json.NewDecoder(e.lines).Decode(&e.rejected); err != nil || len(e.rejected.Errors) == 0 {
		return fmt.Errorf("the response is %s and has no errors", response.Status)
	}
	return nil
}

// Receive implements Connection.
func (e *events) Receive(context.Context) (m Message, err error) {
	m.ID = e.id
	if e.rejected != nil {
		m.Response, m.Ended = *e.rejected, true
		return m, nil
	}
	var kind string
	var data []byte
	for {
		line, err := e.lines.ReadString('\n')
		if err != nil {
			return m, err
		}
		name, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "event":
			kind = value
		case "data":
			data = append(data, value...)
		case "": // the end of an event, or a comment
			switch {
			case value != "":
			case kind == "next":
				return m, json.Unmarshal(data, &m.Response)
			case kind == "complete":
				m.Ended = true
				return m, nil
			}
		}
	}
}

// Cut implements Connection.
func (e *events) Cut() {
	e.cancel()
	if e.body != nil {
		_ = e.body.Close()
	}
}
