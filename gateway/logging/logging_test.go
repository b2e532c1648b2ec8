package logging_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/partita/partita/gateway/logging"
)

func TestLogFormats(t *testing.T) {
	for format, want := range map[string]string{
		"json": `"msg":"hello","requestId":"id-1"`,
		"text": "msg=hello requestId=id-1",
	} {
		var out bytes.Buffer
		logger, err := logging.New(&out, format)
		if err != nil {
			t.Fatal(err)
		}
		logger.InfoContext(logging.WithRequestID(t.Context(), "id-1"), "hello")
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: got %s", format, out.String())
		}
	}
	if _, err := logging.New(io.Discard, "xml"); err == nil {
		t.Error("the format xml is accepted")
	}
}
