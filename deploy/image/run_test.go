//go:build image

package main

import (
	"archive/tar"
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/shop"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// TestRun runs the program in the root of the image that `make image` has written: as its user, in a file system that
// nothing can be written to, without a shell or anything else. It needs root, for chroot.
func TestRun(t *testing.T) {
	_, img := read(t, "../../bin/image")
	config, err := img.ConfigFile()
	fatal.If(t, err)
	wantConfig(t, config.Config, "/partita", "serve")
	if v := config.Config.Labels["org.opencontainers.image.version"]; !strings.HasPrefix(v, "v") {
		t.Errorf("the label of the version is %q", v)
	}
	root := unpack(t, img)
	version, err := container(t.Context(), root, nil, "--version").Output()
	fatal.If(t, err)
	if !strings.HasPrefix(string(version), "partita v") {
		t.Errorf("the version is %s", version)
	}

	engine := tabletest.Start(t, table.SchemaOf(shop.Application().Design))
	settings := append(config.Config.Env, "ADDR=localhost:0", "DYNAMODB_ENDPOINT="+engine.Proxy.URL(),
		"TABLE_NAME="+engine.Table.Name())
	gateway := container(t.Context(), root, settings, config.Config.Cmd...)
	log, err := gateway.StderrPipe()
	fatal.If(t, err)
	fatal.If(t, gateway.Start())
	url, rest := address(t, log)
	if code := get(t, url+"/healthz"); code != http.StatusOK {
		t.Errorf("/healthz: %d", code)
	}
	if code := get(t, url+"/readyz"); code != http.StatusOK {
		t.Errorf("/readyz: %d", code)
	}
	fatal.If(t, gateway.Process.Signal(syscall.SIGTERM))
	remaining, err := io.ReadAll(rest)
	fatal.If(t, err)
	if err := gateway.Wait(); err != nil {
		t.Errorf("the gateway ended with %v\n%s", err, remaining)
	}
}

// unpack returns the path of the image's root, in which nobody can write.
func unpack(t *testing.T, img v1.Image) string {
	t.Helper()
	root := t.TempDir()
	for parent := root; parent != os.TempDir() && parent != "/"; parent = filepath.Dir(parent) {
		fatal.If(t, os.Chmod(parent, 0o755))
	}
	content := mutate.Extract(img)
	defer content.Close()
	for r := tar.NewReader(content); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		fatal.If(t, err)
		if header.Name != programPath {
			t.Errorf("the image has a file %s", header.Name)
		}
		file, err := os.OpenFile(filepath.Join(root, header.Name), os.O_CREATE|os.O_WRONLY, os.FileMode(header.Mode))
		fatal.If(t, err)
		_, err = io.Copy(file, r)
		fatal.If(t, errors.Join(err, file.Close()))
	}
	fatal.If(t, os.Chmod(root, 0o555))
	return root
}

// container returns a command that runs the image's program.
func container(ctx context.Context, root string, settings []string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, "/"+programPath, arguments...)
	command.Dir, command.Env = "/", settings
	command.SysProcAttr = &syscall.SysProcAttr{
		Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}, Pdeathsig: syscall.SIGKILL,
	}
	return command
}

// address returns where a gateway listens, and the rest of its log.
func address(t *testing.T, log io.Reader) (string, io.Reader) {
	t.Helper()
	serving := regexp.MustCompile(`msg=serving addr="?([^" ]+)`)
	var lines []string
	rest := bufio.NewReader(log)
	for {
		line, err := rest.ReadString('\n')
		lines = append(lines, line)
		if found := serving.FindStringSubmatch(line); found != nil {
			first, _, _ := strings.Cut(found[1], ",")
			return "http://" + first, rest
		}
		if err != nil {
			t.Fatalf("the gateway does not serve: %v\n%s", err, strings.Join(lines, ""))
		}
	}
}

func get(t *testing.T, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	fatal.If(t, err)
	answer, err := http.DefaultClient.Do(r)
	fatal.If(t, err)
	fatal.If(t, answer.Body.Close())
	return answer.StatusCode
}
