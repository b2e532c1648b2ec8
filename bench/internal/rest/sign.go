package rest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"
	"time"
)

// signer signs requests to DynamoDB with permanent credentials.
//
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
type signer struct {
	id, secret, region string

	mu  sync.Mutex
	day string
	key []byte // for day
}

const signedHeaders = "content-type;host;x-amz-date;x-amz-target"

func (s *signer) sign(r *http.Request, body []byte, now time.Time) {
	at := now.UTC().Format("20060102T150405Z")
	r.Header.Set("X-Amz-Date", at)
	canonical := sha256.Sum256([]byte("POST\n/\n\ncontent-type:" + r.Header.Get("Content-Type") + "\nhost:" + r.URL.Host +
		"\nx-amz-date:" + at + "\nx-amz-target:" + r.Header.Get("X-Amz-Target") + "\n\n" + signedHeaders + "\n" +
		hexSum(body)))
	scope := at[:8] + "/" + s.region + "/dynamodb/aws4_request"
	signature := mac(s.keyOf(at[:8]), "AWS4-HMAC-SHA256\n"+at+"\n"+scope+"\n"+hex.EncodeToString(canonical[:]))
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+s.id+"/"+scope+
		", SignedHeaders="+signedHeaders+", Signature="+hex.EncodeToString(signature))
}

// keyOf returns the signing key, which is valid for a day.
func (s *signer) keyOf(day string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.day != day {
		key := mac([]byte("AWS4"+s.secret), day)
		for _, part := range []string{s.region, "dynamodb", "aws4_request"} {
			key = mac(key, part)
		}
		s.day, s.key = day, key
	}
	return s.key
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func hexSum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
