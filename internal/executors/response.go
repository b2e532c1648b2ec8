package executors

import (
	"encoding/json"
	"net/http"
)

// Response is a response, and what has happened for it.
type Response struct {
	Status int
	Header http.Header
	Body   string
	// Requests are sorted. Failures are the lines of the log with a level above INFO, without their time and sorted.
	Requests, Failures []string
}

// content is the JSON of a response.
type content struct {
	Data   any
	Errors []struct{ Extensions struct{ Code string } }
}

func (r Response) content() content {
	var c content
	_ = json.Unmarshal([]byte(r.Body), &c) // a body that is not JSON has no content
	return c
}

// Data returns the data of a response, nil for none.
func (r Response) Data() any { return r.content().Data }

// Codes returns the codes of a response's errors.
func (r Response) Codes() []string {
	var codes []string
	for _, e := range r.content().Errors {
		codes = append(codes, e.Extensions.Code)
	}
	return codes
}
