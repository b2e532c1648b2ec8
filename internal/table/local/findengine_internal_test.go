package local

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
)

func TestEngineOfEachMachine(t *testing.T) {
	for platform, want := range map[string]string{
		"linux/amd64":   "node_modules/@dynoxide/linux-x64/dynoxide",
		"linux/arm64":   "node_modules/@dynoxide/linux-arm64/dynoxide",
		"darwin/amd64":  "node_modules/@dynoxide/darwin-x64/dynoxide",
		"darwin/arm64":  "node_modules/@dynoxide/darwin-arm64/dynoxide",
		"windows/amd64": "node_modules/@dynoxide/win32-x64/dynoxide.exe",
	} {
		m := parseMachine(platform)
		if got := filepath.ToSlash(m.inPackage()); got != want {
			t.Errorf("%s: %s, want %s", platform, got, want)
		}
		wantParts(t, m.missing(), "the local engine is not installed",
			`run "npm install `+m.npmPackage()+`@1.2.1" here`, "DYNAMODB_ENDPOINT", "AWS credentials")
	}
}

func TestMachinesWithoutEngine(t *testing.T) {
	for _, platform := range []string{"windows/arm64", "freebsd/amd64", "linux/riscv64"} {
		err := parseMachine(platform).missing()
		wantParts(t, err, "there is no local engine for "+platform,
			"set DYNAMODB_ENDPOINT", "AWS credentials",
			"(linux/amd64, linux/arm64, darwin/amd64, darwin/arm64, windows/amd64 have one)")
		if strings.Contains(err.Error(), "npm install") {
			t.Errorf("%v: the package does not exist", err)
		}
	}
}

// TestExecutable: on Windows the ending decides, elsewhere the permission.
func TestExecutable(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		platform, name string
		mode           os.FileMode
		want           bool
	}{
		{"linux/amd64", "dynoxide", 0o700, true},
		{"linux/amd64", "data", 0o600, false},
		{"darwin/arm64", "data", 0o600, false},
		{"windows/amd64", "dynoxide.exe", 0o600, true},
		{"windows/amd64", "DYNOXIDE.EXE", 0o600, true},
		{"windows/amd64", "dynoxide", 0o700, false},
	} {
		path := filepath.Join(dir, c.name)
		fatal.If(t, os.WriteFile(path, nil, c.mode))
		if err := parseMachine(c.platform).executable(path); (err == nil) != c.want {
			t.Errorf("%s %s %v: %v", c.platform, c.name, c.mode, err)
		}
	}
	folder := filepath.Join(dir, "folder.exe")
	fatal.If(t, os.Mkdir(folder, 0o700))
	if parseMachine("windows/amd64").executable(folder) == nil {
		t.Error("a folder is executable")
	}
}

func TestEngineVersion(t *testing.T) {
	text, err := os.ReadFile("../../../package.json")
	fatal.If(t, err)
	var manifest struct{ OptionalDependencies map[string]string }
	fatal.If(t, json.Unmarshal(text, &manifest))
	if got := manifest.OptionalDependencies["@dynoxide/linux-x64"]; got != engineVersion {
		t.Errorf("package.json has version %s, messages have %s", got, engineVersion)
	}
}

func parseMachine(platform string) machine {
	system, arch, _ := strings.Cut(platform, "/")
	return machine{system, arch}
}

func wantParts(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q lacks %q", err, part)
		}
	}
}
