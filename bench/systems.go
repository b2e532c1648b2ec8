package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/partita/partita/internal/gateway/auth"
	"github.com/partita/partita/viewer"
)

// Names of the systems that bench itself serves.
const (
	handlersSDK      = "handlers-sdk"
	handlersHTTP     = "handlers-http"
	gqlgenDataloader = "gqlgen-dataloader"
)

// baseline is the system that the others are compared with.
const baseline = handlersSDK

// system is a program that answers operations.
type system struct {
	name      string
	arguments []string // of bench, or of Partita if the settings are not nil
	settings  []string // of Partita alone
	request   func(operation) (*http.Request, error)
	isReader  bool // has no mutations
}

// systems returns all of them, the baseline first.
func systems() []system {
	return []system{
		{name: handlersSDK, arguments: []string{"serve", handlersSDK}, request: operation.rest},
		{name: handlersHTTP, arguments: []string{"serve", handlersHTTP}, request: operation.rest},
		{name: gqlgenDataloader, arguments: []string{"serve", gqlgenDataloader}, request: operation.graphQL, isReader: true},
		{
			name: "partita", arguments: []string{"serve"}, settings: slices.Concat(production, alone),
			request: operation.graphQL,
		},
	}
}

// production are the settings of Partita. The caller's budget is checked as always, but lasts for the run: one caller
// sends everything. Nothing is swept, because nothing is deleted.
var production = []string{"READ_UNITS_BUCKET=1e9", "READ_UNITS_RESTORE=1e9", "SWEEP_INTERVAL=0"}

// alone are settings with which an operation costs what it costs by itself. The operations of a run are equal, so that
// those in flight would share their Reads, and the other systems do not read the stream of the table.
var alone = []string{"SHARED_READS=off", "LIVE=off"}

// secret signs the tokens of the run.
const secret = "the secret of one run of the bench, which ends with it"

// settings are the environment of all systems.
func settings(endpoint string) []string {
	return []string{
		"ADDR=127.0.0.1:0", "METRICS_ADDR=127.0.0.1:0", "TABLE_NAME=" + tableName, "JWT_SECRET=" + secret,
		"AWS_ENDPOINT_URL_DYNAMODB=" + endpoint, "AWS_ENDPOINT_URL_DYNAMODB_STREAMS=" + endpoint, "AWS_REGION=us-east-1",
		"AWS_ACCESS_KEY_ID=bench", "AWS_SECRET_ACCESS_KEY=bench",
		"AWS_CONFIG_FILE=/dev/null", "AWS_SHARED_CREDENTIALS_FILE=/dev/null",
	}
}

// text returns the bytes of the request for an operation. Callers have a token, and accept no compression.
func (s system) text(o operation) ([]byte, error) {
	r, err := s.request(o)
	if err != nil {
		return nil, err
	}
	token, err := tokenOf(o.viewer)
	if err != nil {
		return nil, err
	}
	r.Host = "bench"
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Accept", "application/json")
	var b bytes.Buffer
	err = r.Write(&b)
	return b.Bytes(), err
}

// tokenOf returns a token of a viewer that all systems trust.
func tokenOf(v viewer.Viewer) (string, error) {
	trusted := auth.Settings{Secret: secret, SubjectClaim: "sub", RolesClaim: "roles"}
	return auth.Mint(trusted, v, 24*time.Hour)
}

// data returns the part of a response that is the answer: without the envelope of GraphQL.
func (s system) data(body []byte) (json.RawMessage, error) {
	var envelope struct{ Data, Errors json.RawMessage }
	if err := json.Unmarshal(body, &envelope); err != nil {
		return nil, err
	}
	switch {
	case envelope.Errors != nil:
		return nil, fmt.Errorf("the answer has errors: %s", envelope.Errors)
	case envelope.Data != nil:
		return envelope.Data, nil
	default:
		return bytes.TrimSpace(body), nil
	}
}

const tableName = "partita"
