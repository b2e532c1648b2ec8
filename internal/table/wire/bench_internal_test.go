package wire

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table/attribute"
)

func BenchmarkEncode(b *testing.B) {
	sdk := dynamodb.New(dynamodb.Options{Region: "eu-central-1", Credentials: account("")})
	c := New(Settings{SDK: sdk, Table: "shop"})
	creds := aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret", SessionToken: strings.Repeat("x", 800)}
	r := must(c.route(b.Context(), query, creds))
	q := request.Query{PK: "USER#7", From: "ORDER#", To: "USER#7", Descending: true, Limit: 12}
	measure(b, func() error {
		e := newExchange(query, 0)
		defer e.release()
		e.body = c.appendQuery(e.body, q)
		e.begin(time.Second, 0)
		return e.encode(&c.signer, r, creds)
	})
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{1, 100} {
		body := page(n)
		run := func(name string, parse func() error) {
			b.Run(fmt.Sprintf("%d items/%s", n, name), func(b *testing.B) {
				b.SetBytes(int64(len(body)))
				measure(b, parse)
			})
		}
		run("wire", func() error {
			_, err := parse(query, body, aTable)
			return err
		})
		maps := strings.ReplaceAll(body, `{"N":"1200"}`, `{"M":{"amount":{"N":"1200"},"currency":{"S":"EUR"}}}`)
		run("wire with maps", func() error {
			_, err := parse(query, maps, aTable)
			return err
		})
		run("SDK", func() error { // with all else that the SDK does for a request
			_, err := sdkParse(b.Context(), query, body)
			return err
		})
	}
}

// replayVariable is set in the process that is BenchmarkGetItem's server: to "http" or "https".
const replayVariable = "WIRE_TEST_REPLAY"

// replay serves the same item to all requests until its standard input ends. It writes its URL and certificate.
func replay(scheme string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(scheme + "://" + l.Addr().String())
	if scheme == "https" {
		certificate := trusted()
		_ = pem.Encode(os.Stdout, &pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]})
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{certificate}})
	}
	fmt.Println()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				panic(err)
			}
			go func() {
				one := &connection{Conn: c, in: bufio.NewReader(c)}
				body := strings.Replace(page(1), `"Items":[`, `"Item":`, 1)
				one.answer(ok(strings.Replace(body, `],"Sc`, `,"Sc`, 1)))
			}()
		}
	}()
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// startReplay starts the server as a process of its own, so that its CPU is not measured.
func startReplay(b *testing.B, scheme string) (url string, config *tls.Config) {
	b.Helper()
	command := exec.CommandContext(b.Context(), os.Args[0])
	command.Env = append(os.Environ(), replayVariable+"="+scheme)
	in := must(command.StdinPipe())
	out := must(command.StdoutPipe())
	fatal.If(b, command.Start())
	b.Cleanup(func() {
		in.Close()
		_ = command.Wait()
	})
	lines := bufio.NewScanner(out)
	var certificate bytes.Buffer
	for lines.Scan() && lines.Text() != "" {
		if url == "" {
			url = lines.Text()
			continue
		}
		fmt.Fprintln(&certificate, lines.Text())
	}
	config = &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
	config.RootCAs.AppendCertsFromPEM(certificate.Bytes())
	return url, config
}

// BenchmarkGetItem compares whole requests over loopback.
func BenchmarkGetItem(b *testing.B) {
	for _, scheme := range []string{"http", "https"} {
		url, config := startReplay(b, scheme)
		transport := &http.Transport{TLSClientConfig: config, MaxIdleConnsPerHost: 64}
		defer transport.CloseIdleConnections()
		sdk := dynamodb.New(dynamodb.Options{
			Region: "us-east-1", Credentials: account(""), BaseEndpoint: aws.String(url), Retryer: aws.NopRetryer{},
			HTTPClient: &http.Client{Transport: transport, Timeout: generous}, DisableValidateResponseChecksum: true,
		})
		wire := New(Settings{
			SDK: sdk, Table: aTable, MaxConnections: 64, Timeout: generous, DialTimeout: generous, IdleTimeout: generous,
			TLS: config,
		})
		defer wire.Close()
		key := keys.Key{PK: "USER#7", SK: "ORDER#1"}
		for name, get := range map[string]func(context.Context) error{
			"SDK": func(ctx context.Context) error {
				out, err := sdk.GetItem(ctx, &dynamodb.GetItemInput{
					TableName: aws.String(aTable), Key: attribute.FromKey(stored.DefaultLayout(), key),
					ReturnConsumedCapacity: "TOTAL",
				})
				if err == nil {
					attribute.ToItems([]map[string]types.AttributeValue{out.Item})
				}
				return err
			},
			"net-http": func(ctx context.Context) error { return wire.overHTTP(ctx, transport, url, key) },
			"wire": func(ctx context.Context) error {
				_, err := wire.GetItem(ctx, request.GetItem{Key: key})
				return err
			},
		} {
			b.Run(scheme+"/"+name, func(b *testing.B) {
				ctx, cancel := context.WithTimeout(b.Context(), generous)
				defer cancel()
				if err := get(ctx); err != nil { // opens the connection
					b.Fatal(err)
				}
				measure(b, func() error { return get(ctx) })
			})
		}
	}
}

// overHTTP is GetItem over net/http: encoded, signed and parsed in the same way.
func (c *Client) overHTTP(ctx context.Context, transport *http.Transport, url string, key keys.Key) error {
	creds, err := c.credentials.Retrieve(ctx)
	if err != nil {
		return err
	}
	r, err := c.route(ctx, getItem, creds)
	if err != nil {
		return err
	}
	e := newExchange(getItem, maxItem)
	defer e.release()
	e.body = c.appendGetItem(e.body, request.GetItem{Key: key})
	e.begin(generous, 0)
	if err := e.encode(&c.signer, r, creds); err != nil {
		return err
	}
	ctx, cancel := context.WithDeadline(ctx, e.deadline)
	defer cancel()
	out, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(e.body))
	if err != nil {
		return err
	}
	head, _, _ := strings.Cut(string(e.text), "\r\n\r\n")
	for line := range strings.SplitSeq(head, "\r\n") {
		if name, value, ok := strings.Cut(line, ": "); ok && name != "Host" && name != "Content-Length" {
			out.Header[name] = []string{value}
		}
	}
	response, err := transport.RoundTrip(out)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text := make([]byte, response.ContentLength)
	if _, err := io.ReadFull(response.Body, text); err != nil {
		return err
	}
	_, err = parse(getItem, string(text), aTable)
	return err
}

// measure runs the function in a loop. CPU-µs is the CPU time of this process, system included: other processes
// change it less than the time that passes.
func measure(b *testing.B, f func() error) {
	b.Helper()
	b.ReportAllocs()
	before := cpu(b)
	for b.Loop() {
		fatal.If(b, f())
	}
	b.ReportMetric(float64((cpu(b)-before).Nanoseconds())/1e3/float64(b.N), "CPU-µs/op")
}
