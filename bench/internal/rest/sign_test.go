package rest

import (
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/partita/partita/internal/fatal"
)

// TestSign: the signature is that of the SDK.
func TestSign(t *testing.T) {
	body := []byte(`{"TableName":"shop"}`)
	request := func() *http.Request {
		r, err := http.NewRequest(http.MethodPost, "https://dynamodb.eu-central-1.amazonaws.com", nil)
		fatal.If(t, err)
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.Query")
		return r
	}
	s := &signer{id: "id", secret: "secret", region: "eu-central-1"}
	now := time.Date(2026, time.November, 20, 23, 59, 59, 0, time.UTC)
	for _, at := range []time.Time{now, now.Add(time.Second)} { // the key of the second day is another one
		ours, theirs := request(), request()
		s.sign(ours, body, at)
		credentials := aws.Credentials{AccessKeyID: s.id, SecretAccessKey: s.secret}
		err := v4.NewSigner().SignHTTP(t.Context(), credentials, theirs, hexSum(body), "dynamodb", s.region, at)
		fatal.If(t, err)
		if got, want := ours.Header.Get("Authorization"), theirs.Header.Get("Authorization"); got != want {
			t.Errorf("the signature is\n%s, want\n%s", got, want)
		}
	}
}
