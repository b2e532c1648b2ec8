//go:build unix

package local_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/local"
)

func TestEngineOutlivesCtrlCAndNotTheGateway(t *testing.T) {
	dir := t.TempDir()
	self := must(os.Executable())
	gateway := exec.Command(self)
	gateway.Env = append(os.Environ(), gatewayDir+"="+dir)
	gateway.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	output, err := gateway.StdoutPipe()
	fatal.If(t, err)
	fatal.If(t, gateway.Start())
	endpoint := ""
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if _, rest, ok := strings.Cut(lines.Text(), "endpoint=http://"); ok && endpoint == "" {
			endpoint, _, _ = strings.Cut(rest, " ")
		}
		if strings.HasPrefix(lines.Text(), "error") {
			t.Fatal(lines.Text())
		}
		if lines.Text() == "ready" {
			break
		}
	}

	// A second gateway on the same data is told so.
	var inUse *exit.Error
	_, err = local.Open(t.Context(), settings(dir), schema, discard)
	if !errors.As(err, &inUse) || inUse.Code != exit.TryAgain ||
		!strings.Contains(err.Error(), fmt.Sprintf("in use by process %d", gateway.Process.Pid)) {
		t.Errorf("second gateway: %v", err)
	}

	// The connection ends when the engine does.
	connection := must(net.Dial("tcp", endpoint))
	defer connection.Close()
	fatal.If(t, syscall.Kill(-gateway.Process.Pid, syscall.SIGINT))
	must(io.WriteString(connection, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
	reader := bufio.NewReader(connection)
	if status, err := reader.ReadString('\n'); err != nil || !strings.Contains(status, "200") {
		t.Errorf("after Ctrl-C: %q, %v", status, err)
	}
	fatal.If(t, gateway.Process.Kill())
	_ = gateway.Wait() // signal: killed
	if _, err := io.Copy(io.Discard, reader); err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
	hasA(t, openLocal(t, settings(dir)))
}
