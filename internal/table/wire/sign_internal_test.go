package wire

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/smithy-go/encoding/httpbinding"
	"pgregory.net/rapid"

	"github.com/partita/partita/internal/fatal"
	_ "github.com/partita/partita/internal/soak" // the cases of rapid
	"github.com/partita/partita/request"
)

// TestSignatureIsTheSDKs signs random requests, reads them as a server does, and compares Authorization with that of
// the SDK's signer. One signer signs all requests of a run, so that its keys change.
func TestSignatureIsTheSDKs(t *testing.T) {
	text := rapid.StringMatching(`[A-Za-z0-9/+=]{1,60}`)
	rapid.Check(t, func(t *rapid.T) {
		var s signer
		credentials := []aws.Credentials{
			{AccessKeyID: text.Draw(t, "id"), SecretAccessKey: text.Draw(t, "secret")},
			{AccessKeyID: text.Draw(t, "id"), SecretAccessKey: text.Draw(t, "secret"), SessionToken: text.Draw(t, "token")},
		}
		path := rapid.SampledFrom([]string{"/", "/a/b", "/a%20b/ü"}).Draw(t, "path")
		r := &route{
			host:   rapid.SampledFrom([]string{"dynamodb.eu-central-1.amazonaws.com", "localhost:8000"}).Draw(t, "host"),
			region: rapid.SampledFrom([]string{"eu-central-1", "us-gov-west-1"}).Draw(t, "region"), service: "dynamodb",
			target: "DynamoDB_20120810.Query", userAgent: "test",
		}
		begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for range rapid.IntRange(1, 5).Draw(t, "requests") {
			creds := rapid.SampledFrom(credentials).Draw(t, "credentials")
			at := begin.Add(time.Duration(rapid.IntRange(0, 3*24*3600).Draw(t, "second")) * time.Second)
			e := exchange{body: rapid.SliceOfN(rapid.Byte(), 1, -1).Draw(t, "body"), began: at}

			plain := must(http.NewRequest(http.MethodPost, "http://"+r.host+path, nil))
			r.path, r.canonicalPath = plain.URL.RequestURI(), httpbinding.EscapePath(plain.URL.EscapedPath(), false)
			fatal.If(t, e.encode(&s, r, creds))
			received, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(e.text)))
			fatal.If(t, err)
			got := received.Header.Get("Authorization")
			received.Header.Del("Authorization")
			received.Header.Del("Accept-Encoding") // not signed
			received.URL.Host = received.Host
			sum := sha256.Sum256(e.body)
			err = v4.NewSigner().SignHTTP(t.Context(), creds, received, hex.EncodeToString(sum[:]), r.service, r.region, at)
			fatal.If(t, err)
			if want := received.Header.Get("Authorization"); got != want {
				t.Fatalf("got  %s\nwant %s", got, want)
			}
		}
	})
}

// TestCredentialsCannotAddHeaders: a damaged token is an error before it is sent.
func TestCredentialsCannotAddHeaders(t *testing.T) {
	var s signer
	for _, creds := range []aws.Credentials{
		{AccessKeyID: "a", SecretAccessKey: "b", SessionToken: "c\r\nX-Amz-Target: d"},
		{AccessKeyID: "a\n", SecretAccessKey: "b"},
		{AccessKeyID: "ü", SecretAccessKey: "b"},
	} {
		e := exchange{began: time.Now()}
		if err := e.encode(&s, &route{path: "/", canonicalPath: "/"}, creds); !errors.Is(err, request.ErrAccessDenied) {
			t.Errorf("%q: got %v", creds.SessionToken, err)
		}
	}
}
