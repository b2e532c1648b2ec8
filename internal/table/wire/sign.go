package wire

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/partita/partita/request"
)

// signer signs requests with Signature Version 4. It does the same as the SDK's signer, with the few headers that a
// read has, and keeps the key of the day.
//
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
type signer struct {
	key atomic.Pointer[signingKey]
}

// scope is what a signing key belongs to.
type scope struct {
	day, region, service string
	id, secret, token    string
}

// signingKey is the key of a scope.
type signingKey struct {
	scope
	// hashes are HMACs with the key. One that is used again costs half of a new one.
	hashes sync.Pool
}

const (
	algorithm  = "AWS4-HMAC-SHA256"
	terminator = "aws4_request"
	dayLayout  = "20060102"
	timeLayout = "20060102T150405Z"

	contentType = "application/x-amz-json-1.0"
)

// message is what is signed of a request.
type message struct {
	*route
	credentials aws.Credentials
	at          time.Time
	body        []byte
}

// appendHeaders appends the headers of the message that are signed, except Host, and Authorization. Scratch is
// overwritten; both buffers are returned, because they may have grown.
func (s *signer) appendHeaders(b, scratch []byte, m *message) (headers, used []byte, err error) {
	var timeText [len(timeLayout)]byte
	at := m.at.UTC().AppendFormat(timeText[:0], timeLayout)
	day := at[:len(dayLayout)]
	key, err := s.keyFor(m, day)
	if err != nil {
		return b, scratch, err
	}

	b = append(b, "Content-Length: "...)
	length := len(b)
	b = strconv.AppendInt(b, int64(len(m.body)), 10)
	lengthText := b[length:]
	b = append(b, "\r\nContent-Type: "+contentType+"\r\nX-Amz-Date: "...)
	b = append(b, at...)
	signed := "content-length;content-type;host;x-amz-date;x-amz-target"
	if m.credentials.SessionToken != "" {
		signed = "content-length;content-type;host;x-amz-date;x-amz-security-token;x-amz-target"
		b = append(b, "\r\nX-Amz-Security-Token: "...)
		b = append(b, m.credentials.SessionToken...)
	}
	b = append(b, "\r\nX-Amz-Target: "...)
	b = append(b, m.target...)

	// The canonical request.
	c := scratch[:0]
	c = append(c, "POST\n"...)
	c = append(c, m.canonicalPath...)
	c = append(c, "\n\ncontent-length:"...)
	c = append(c, lengthText...)
	c = append(c, "\ncontent-type:"+contentType+"\nhost:"...)
	c = append(c, m.host...)
	c = append(c, "\nx-amz-date:"...)
	c = append(c, at...)
	if m.credentials.SessionToken != "" {
		c = append(c, "\nx-amz-security-token:"...)
		c = append(c, m.credentials.SessionToken...)
	}
	c = append(c, "\nx-amz-target:"...)
	c = append(c, m.target...)
	c = append(c, "\n\n"...)
	c = append(c, signed...)
	c = append(c, '\n')
	bodyHash := sha256.Sum256(m.body)
	c = hex.AppendEncode(c, bodyHash[:])
	canonicalHash := sha256.Sum256(c)

	// The string to sign.
	c = append(c[:0], algorithm+"\n"...)
	c = append(c, at...)
	c = append(c, '\n')
	scopeAt := len(c)
	c = append(c, day...)
	c = append(c, '/')
	c = append(c, m.region...)
	c = append(c, '/')
	c = append(c, m.service...)
	c = append(c, "/"+terminator...)
	scopeText := c[scopeAt:]
	c = append(c, '\n')
	c = hex.AppendEncode(c, canonicalHash[:])

	b = append(b, "\r\nAuthorization: "+algorithm+" Credential="...)
	b = append(b, m.credentials.AccessKeyID...)
	b = append(b, '/')
	b = append(b, scopeText...)
	b = append(b, ", SignedHeaders="...)
	b = append(b, signed...)
	b = append(b, ", Signature="...)
	b = key.appendSignature(b, c)
	return append(b, "\r\n"...), c, nil
}

// keyFor returns the key of the message's day and credentials.
func (s *signer) keyFor(m *message, day []byte) (*signingKey, error) {
	c := &m.credentials
	if k := s.key.Load(); k != nil && k.day == string(day) && k.region == m.region && k.service == m.service &&
		k.id == c.AccessKeyID && k.secret == c.SecretAccessKey && k.token == c.SessionToken {
		return k, nil
	}
	if !isHeaderText(c.AccessKeyID) || !isHeaderText(c.SessionToken) {
		return nil, fmt.Errorf("%w: the credentials contain a character that a header cannot have",
			request.ErrAccessDenied)
	}
	k := newSigningKey(scope{string(day), m.region, m.service, c.AccessKeyID, c.SecretAccessKey, c.SessionToken})
	s.key.Store(k)
	return k, nil
}

// isHeaderText reports whether a text is the same when it is sent and signed in a header.
func isHeaderText(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

func newSigningKey(of scope) *signingKey {
	key := []byte("AWS4" + of.secret)
	for _, part := range []string{of.day, of.region, of.service, terminator} {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(part))
		key = h.Sum(nil)
	}
	k := &signingKey{scope: of}
	k.hashes.New = func() any { return hmac.New(sha256.New, key) }
	return k
}

// appendSignature appends the signature of a string in hexadecimal digits.
func (k *signingKey) appendSignature(b, toSign []byte) []byte {
	h := k.hashes.Get().(hash.Hash)
	defer k.hashes.Put(h)
	h.Reset()
	h.Write(toSign)
	at := len(b)
	b = h.Sum(b)
	var sum [sha256.Size]byte
	copy(sum[:], b[at:])
	return hex.AppendEncode(b[:at], sum[:])
}
