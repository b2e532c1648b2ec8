package app_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/testservice"
)

// answer is a GraphQL response about one reader.
type answer struct {
	Data   struct{ Reader *struct{ Name string } }
	Errors []struct {
		Message    string
		Extensions struct{ Code string }
	}
}

// askAda requests the first reader of the demo data.
func askAda(p *processtest.Process) (answer, error) {
	response, err := http.Post(p.URL+"/graphql", "application/json", strings.NewReader(adaQuery()))
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	return readAnswer(response.Body)
}

func adaQuery() string {
	return fmt.Sprintf(`{"query":"{ reader(id: \"%s\") { name } }"}`, testservice.Reader(1).Encode())
}

func readAnswer(body io.Reader) (a answer, err error) {
	err = json.NewDecoder(body).Decode(&a)
	return a, err
}

func wantAda(t *testing.T, a answer, err error) {
	t.Helper()
	if err != nil || len(a.Errors) > 0 || a.Data.Reader == nil || a.Data.Reader.Name != "Ada" {
		t.Errorf("got %+v, %v", a, err)
	}
}

// slowRequest is an operation whose body has not been sent.
type slowRequest struct {
	conn   net.Conn
	reader *bufio.Reader
}

// beginSlowly sends the head of a request and waits until the gateway requests its body. The operation is then in
// flight.
//
// https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
func beginSlowly(t *testing.T, p *processtest.Process) slowRequest {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
	fatal.If(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(adaQuery()))
	fatal.If(t, err)
	r := slowRequest{conn, bufio.NewReader(conn)}
	for _, want := range []string{"HTTP/1.1 100 Continue\r\n", "\r\n"} {
		if line, err := r.reader.ReadString('\n'); line != want {
			t.Fatalf("got %q, %v", line, err)
		}
	}
	return r
}

// finish sends the body and returns the answer.
func (r slowRequest) finish() (answer, error) {
	if _, err := io.WriteString(r.conn, adaQuery()); err != nil {
		return answer{}, err
	}
	response, err := http.ReadResponse(r.reader, nil)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	return readAnswer(response.Body)
}
