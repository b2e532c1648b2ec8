package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/viewer"
)

// An attack is what a hostile caller sends, without a token unless there is a viewer.
type attack struct {
	name   string
	viewer viewer.Viewer
	// request returns the request of some size.
	request func(size int) (*http.Request, error)
	// sizes are tried, the largest first, until the gateway answers with the status.
	largest int
	status  int
	unread  bool
}

// attacks returns the worst operations that are allowed, and the worst requests that are rejected.
func attacks() []attack {
	ada, users := demo.Ada().Encode(), demoIDs().users
	repeatedID := make([]string, 100)
	for i := range repeatedID {
		repeatedID[i] = ada
	}
	fanOut := func(n int) (*http.Request, error) {
		field := "%s: nodes(ids: $ids) { ... on User { followers(first: 2) { nodes { name } } } }"
		return graphQL("query($ids: [ID!]!)", field, n, map[string]any{"ids": repeatedID})
	}
	return []attack{
		{name: "fan-out of one id", request: fanOut, largest: 49, status: http.StatusOK},
		{
			name: "wide aliases", largest: 50, status: http.StatusOK,
			request: func(n int) (*http.Request, error) {
				variables := named("a", users[:n])
				field := "%[1]s: user(id: $%[1]s) { name followers(first: 20) { nodes { name } } }"
				return graphQL(declared(variables), field, n, variables)
			},
		},
		{
			name: "largest answers of a viewer", viewer: viewer.Viewer{ID: hostileID}, largest: 98,
			status: http.StatusOK,
			request: func(n int) (*http.Request, error) {
				field := "%s: nodes(ids: $ids) { id ... on User { name followerCount followingCount orderCount } }"
				return graphQL("query($ids: [ID!]!)", field, n, map[string]any{"ids": users[:100]})
			},
		},
		{
			name: "Scans by an ADMIN", viewer: viewer.Viewer{ID: hostileID, Roles: []string{"ADMIN"}}, largest: 1,
			status: http.StatusOK,
			request: func(int) (*http.Request, error) {
				return newRequest(http.MethodPost, "/table/partitions", map[string]any{})
			},
		},
		{
			name: "new documents", largest: 50, status: http.StatusOK,
			request: func(n int) (*http.Request, error) {
				field := "%[1]s: node(id: \"" + ada + "\") { id ... on User { " + strings.Repeat("name ", 20) + "} }"
				return graphQL("query Q"+counter, field, n, nil)
			},
		},
		{
			name: "invalid documents", largest: 1900, status: http.StatusUnprocessableEntity,
			request: func(n int) (*http.Request, error) {
				return graphQL("query", "viewer { %s }", n, nil)
			},
		},
		{
			name: "no JSON", largest: 1, status: http.StatusBadRequest,
			request: func(int) (*http.Request, error) { return rawRequest("{") },
		},
		{
			name: "invalid tokens", largest: 1, status: http.StatusUnauthorized,
			request: func(int) (*http.Request, error) {
				r, err := graphQL("query", "%s: __typename", 1, nil)
				if err == nil {
					r.Header.Set("Authorization", "Bearer "+invalidToken)
				}
				return r, err
			},
		},
		{
			name: "bodies of 1 MB", largest: 1, status: http.StatusUnprocessableEntity,
			request: func(int) (*http.Request, error) {
				text := strings.Repeat(`{"a":[1,2,3],"b":"c"},`, 45_000)
				return rawRequest(`{"query":"{__typename}","variables":{"v":[` + strings.TrimSuffix(text, ",") + `]}}`)
			},
		},
		{name: "slow readers", request: fanOut, largest: 49, status: http.StatusOK, unread: true},
	}
}

// hostileID is that of a viewer who has signed in, and has nothing in the table.
const hostileID = "hostile"

// invalidToken has the form of one, with the signature of another secret.
const invalidToken = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJldmUiLCJleHAiOjk5OTk5OTk5OTl9." +
	"c2lnbmF0dXJlIG9mIGFub3RoZXIgc2VjcmV0LCBub3Q"

// graphQL returns the request for an operation with n aliases of a field.
func graphQL(head, field string, n int, variables map[string]any) (*http.Request, error) {
	var fields strings.Builder
	for i := range n {
		fmt.Fprintf(&fields, field+"\n", fmt.Sprint("a", i))
	}
	return newRequest(http.MethodPost, "/graphql", map[string]any{
		"query": head + " { " + fields.String() + " }", "variables": variables,
	})
}

// declared is the head of a query with variables of the type ID.
func declared(variables map[string]any) string {
	var all []string
	for name := range variables {
		all = append(all, "$"+name+": ID!")
	}
	return "query(" + strings.Join(all, " ") + ")"
}

func rawRequest(body string) (*http.Request, error) {
	r, err := newRequest(http.MethodPost, "/graphql", "")
	if err == nil {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	}
	return r, err
}

// line returns the largest of the attack's requests that the process answers with its status.
func (a attack) line(p *process) (attackLine, error) {
	var status int
	for size := a.largest; size > 0; size /= 2 {
		r, err := a.request(size)
		if err != nil {
			return attackLine{}, err
		}
		r.Host = "bench"
		if !a.viewer.IsAnonymous() {
			token, err := tokenOf(a.viewer)
			if err != nil {
				return attackLine{}, err
			}
			r.Header.Set("Authorization", "Bearer "+token)
		}
		r.Header.Set("Accept", "application/graphql-response+json") // with the status of errors
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			return attackLine{}, err
		}
		if status, err = p.status(b.Bytes()); err != nil {
			return attackLine{}, err
		}
		if status == a.status {
			return attackLine{
				Request: b.Bytes(), Counter: max(0, bytes.Index(b.Bytes(), []byte(counter))), Unread: a.unread,
			}, nil
		}
	}
	return attackLine{}, fmt.Errorf("no request gets the status %d, the smallest %d", a.status, status)
}
