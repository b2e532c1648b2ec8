//go:build unix

package platform

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestWatch: a child ends with its parent, also if that is killed.
func TestWatch(t *testing.T) {
	if os.Getenv("PARTITA_TEST_PARENT") != "" {
		parent(t)
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWatch$")
	command.Env = append(os.Environ(), "PARTITA_TEST_PARENT=1")
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait() // it was killed
	for deadline := time.Now().Add(time.Minute); syscall.Kill(child, 0) == nil; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			_ = syscall.Kill(child, syscall.SIGKILL)
			t.Fatal("the child runs still")
		}
	}
}

// parent starts a child, prints its process ID and waits to be killed.
func parent(t *testing.T) {
	t.Helper()
	child := exec.CommandContext(t.Context(), "sleep", "600")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := watch(child.Process); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stdout.WriteString(strconv.Itoa(child.Process.Pid) + "\n"); err != nil {
		t.Fatal(err)
	}
	select {}
}
