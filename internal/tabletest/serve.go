package tabletest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"

	"github.com/partita/partita/internal/tabletest/amazon"
)

// ServeHTTP forwards one request, or lets it fail.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	limiter, ask := p.limiterFor(r)
	limiter.Learn(ask, operation, text)
	x := p.arrive(operation, text)
	defer p.vacate(x)
	p.await(r, operation, text)
	if p.fail(w, x, operation, text) {
		return
	}
	limited, failure := limiter.Begin(ask, operation, x.forward)
	if failure != nil {
		p.refused(x, failure)
		respond(w, failure.Status, failure.Content)
		return
	}
	p.pass(w, r, x, limited)
}

// limiterFor returns the Limiter, with what it asks the endpoint in the name of a request.
func (p *Proxy) limiterFor(r *http.Request) (*amazon.Limiter, amazon.Ask) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.limiter, func(operation string, in, into any) {
		own := r.Clone(r.Context())
		own.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
		if response, err := p.forward(own, marshal(in)); err == nil && response.status == http.StatusOK {
			_ = json.Unmarshal(response.body, into) // the endpoint's own
		}
	}
}

// fail answers in place of the endpoint if that is the fault. It reports whether it has.
func (p *Proxy) fail(w http.ResponseWriter, x exchange, operation string, text []byte) bool {
	switch x.fault {
	case faultReset:
		hangUp(w, true)
	case faultThrottled:
		throttle(w, operation, text)
	case faultFailed:
		respondError(w, http.StatusInternalServerError, "InternalServerError")
	case faultErrorCode:
		respondError(w, http.StatusBadRequest, x.code)
	case faultConflict:
		cancel(w, operation, text)
	default:
		return false
	}
	return true
}

// pass forwards a request, and answers unless the answer is to be lost.
func (p *Proxy) pass(w http.ResponseWriter, r *http.Request, x exchange, limited *amazon.Request) {
	operation := x.logged.operation
	response, err := p.forward(r, x.forward)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	answer := response.body
	if response.status == http.StatusOK {
		answer = limited.End(answer)
	}
	answer = x.restore(answer)
	p.consumed(operation, answer)
	if isWrite(operation) && response.status == http.StatusOK {
		p.carriedOut()
	}
	if x.fault == faultLost {
		hangUp(w, true)
		return
	}
	maps.Copy(w.Header(), response.header)
	w.Header().Del("X-Amz-Crc32") // of the answer before it was changed
	w.Header().Set("Content-Length", fmt.Sprint(len(answer)))
	w.WriteHeader(response.status)
	if x.fault == faultCut {
		_, _ = w.Write(answer[:len(answer)/2])
		hangUp(w, false)
		return
	}
	_, _ = w.Write(answer) // fails only when the client has gone
}

// forwarded is the response of the endpoint.
type forwarded struct {
	status int
	header http.Header
	body   []byte
}

func (p *Proxy) forward(r *http.Request, text []byte) (forwarded, error) {
	p.mu.Lock()
	target := p.target
	p.mu.Unlock()
	out, err := http.NewRequestWithContext(r.Context(), r.Method, target, bytes.NewReader(text))
	if err != nil {
		return forwarded{}, err
	}
	out.Header = r.Header.Clone()
	out.Header.Del("Content-Length")
	response, err := p.transport.RoundTrip(out)
	if err != nil {
		return forwarded{}, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return forwarded{response.StatusCode, response.Header, answer}, err
}

// consumed adds up the ConsumedCapacity of an answer, which is one object or a
// list of them.
func (p *Proxy) consumed(operation string, answer []byte) {
	type capacity struct{ CapacityUnits float64 }
	_, rest, is := bytes.Cut(answer, []byte(`"ConsumedCapacity":`)) // much faster than to read all of it
	if !is {
		return
	}
	list := make([]capacity, 1)
	var into any = &list[0]
	if bytes.HasPrefix(rest, []byte("[")) {
		into = &list
	}
	if json.NewDecoder(bytes.NewReader(rest)).Decode(into) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range list {
		switch operation {
		case "GetItem", "BatchGetItem", "Query", "Scan":
			p.counts.ReadUnits += c.CapacityUnits
		default:
			p.counts.WriteUnits += c.CapacityUnits
		}
	}
}

func (p *Proxy) carriedOut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts.Writes++
}

// respondError writes an error in DynamoDB's format.
func respondError(w http.ResponseWriter, status int, code string) {
	respond(w, status, map[string]any{"__type": "com.amazonaws.dynamodb.v20120810#" + code, "message": "made by the test"})
}

// throttle writes the error of a throttled request, with its reason but for a Scan.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
func throttle(w http.ResponseWriter, operation string, text []byte) {
	var b body
	_ = json.Unmarshal(text, &b) // the engine returns the error
	what, resource := "Table", "arn:aws:dynamodb:eu-west-1:123456789012:table/partita"
	if b.IndexName != "" {
		what, resource = "Index", resource+"/index/"+b.IndexName
	}
	if how := "Read"; operation != "Scan" {
		if isWrite(operation) {
			how = "Write"
		}
		reason := map[string]string{"reason": what + how + "KeyRangeThroughputExceeded", "resource": resource}
		respond(w, http.StatusBadRequest, map[string]any{
			"__type":            "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
			"message":           "made by the test",
			"ThrottlingReasons": []any{reason},
		})
		return
	}
	respondError(w, http.StatusBadRequest, "ProvisionedThroughputExceededException")
}

// respond writes an error.
func respond(w http.ResponseWriter, status int, content map[string]any) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(status)
	_, _ = w.Write(marshal(content))
}

// cancel writes the error of a transaction that conflicts with others on its items.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html
func cancel(w http.ResponseWriter, operation string, text []byte) {
	if operation != "TransactWriteItems" {
		respondError(w, http.StatusBadRequest, "TransactionConflictException")
		return
	}
	var b body
	_ = json.Unmarshal(text, &b) // the engine returns the error
	reasons := make([]map[string]string, len(b.TransactItems))
	for i := range reasons {
		reasons[i] = map[string]string{"Code": "TransactionConflict", "Message": "made by the test"}
	}
	respond(w, http.StatusBadRequest, map[string]any{
		"__type":              "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
		"Message":             "made by the test",
		"CancellationReasons": reasons,
	})
}

// hangUp closes the connection, with RST or with FIN.
func hangUp(w http.ResponseWriter, reset bool) {
	connection, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // the client has gone
	}
	_ = buffered.Flush()
	if tcp, ok := connection.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0)
	}
	_ = connection.Close()
}
