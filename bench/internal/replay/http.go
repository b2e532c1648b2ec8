package replay

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"time"
)

// maxBody limits the bytes of a request: BatchGetItem has 100 keys of at most 3 KB.
const maxBody = 1 << 20

// read reads a request. Its clients send a Content-Length and keep their connections.
func (c *exchange) read() error {
	if _, err := c.reader.ReadSlice('\n'); err != nil {
		return err
	}
	c.action = c.action[:0]
	length := -1
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		name, value, found := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(":"))
		if !found {
			break
		}
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return err
			}
		case bytes.EqualFold(name, []byte("X-Amz-Target")):
			c.action = append(c.action, value...)
		}
	}
	if length < 0 || length > maxBody || len(c.action) == 0 {
		return errRequest
	}
	if cap(c.body) < length {
		c.body = make([]byte, length)
	}
	c.body = c.body[:length]
	_, err := io.ReadFull(c.reader, c.body)
	return err
}

// respond appends a response with the headers that DynamoDB sends.
func respond(to []byte, status int, body []byte) []byte {
	to = fmt.Appendf(to, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	to = time.Now().UTC().AppendFormat(append(to, "Server: Server\r\nDate: "...), http.TimeFormat)
	to = append(to, "\r\nContent-Type: application/x-amz-json-1.0\r\nConnection: keep-alive\r\n"+
		"x-amzn-RequestId: REPLAYEDREPLAYEDREPLAYEDREPLAYEDREPLAYEDREPLAYEDAAAA\r\nContent-Length: "...)
	to = strconv.AppendInt(to, int64(len(body)), 10)
	to = append(to, "\r\nx-amz-crc32: "...)
	to = strconv.AppendUint(to, uint64(crc32.ChecksumIEEE(body)), 10)
	to = append(to, "\r\n\r\n"...)
	return append(to, body...)
}
