package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/partita/partita/exit"
)

// engineVersion is that of the npm packages of dynoxide. Package.json has the same, which a test compares.
const engineVersion = "1.2.1"

// machine is an operating system and an architecture, with Go's names.
type machine struct{ os, arch string }

// engineMachines are those for which dynoxide is published: https://github.com/nubo-db/dynoxide.
var engineMachines = []machine{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"},
}

// FindEngine returns the path of the dynoxide binary: the explicit one, or else
// that of the npm package in node_modules of the working directory, of the
// executable's directory, or of a directory above either. Its error is a
// *exit.Error.
func FindEngine(explicit string) (string, error) {
	return findEngine(machine{runtime.GOOS, runtime.GOARCH}, explicit)
}

func findEngine(m machine, explicit string) (string, error) {
	if explicit != "" {
		if err := m.executable(explicit); err != nil {
			return "", &exit.Error{
				Problem: fmt.Sprintf("the local engine %s cannot be run", explicit),
				Fix:     "correct DYNOXIDE, or unset it and " + m.otherwise(),
				Code:    exit.Unavailable, Err: err,
			}
		}
		return explicit, nil
	}
	var starts []string
	if dir, err := os.Getwd(); err == nil {
		starts = append(starts, dir)
	}
	if path, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(path))
	}
	for _, start := range starts {
		if path := m.engineAbove(start); path != "" {
			return path, nil
		}
	}
	return "", m.missing()
}

// engineAbove returns the path of the engine in node_modules of the directory or of one above it, or "".
func (m machine) engineAbove(dir string) string {
	for {
		path := filepath.Join(dir, m.inPackage())
		if m.executable(path) == nil {
			return path
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}

// missing returns the error for a machine where the engine is not installed, or cannot be.
func (m machine) missing() error {
	problem := "the local engine is not installed (no " + m.inPackage() + ")"
	if !slices.Contains(engineMachines, m) {
		problem = fmt.Sprintf("there is no local engine for %s", m)
	}
	return &exit.Error{Problem: problem, Fix: m.otherwise(), Code: exit.Unavailable}
}

// otherwise returns what to do without an engine: install one, or use another table.
func (m machine) otherwise() string {
	const other = "set DYNAMODB_ENDPOINT to another engine such as DynamoDB Local, or AWS credentials for a table on AWS"
	if slices.Contains(engineMachines, m) {
		return fmt.Sprintf("run \"npm install %s@%s\" here, or %s", m.npmPackage(), engineVersion, other)
	}
	names := make([]string, len(engineMachines))
	for i, has := range engineMachines {
		names[i] = has.String()
	}
	return fmt.Sprintf("%s (%s have one)", other, strings.Join(names, ", "))
}

// String returns Go's name of the platform, such as linux/amd64.
func (m machine) String() string { return m.os + "/" + m.arch }

// npmPackage returns the npm package with the engine for the machine, whether it exists or not.
func (m machine) npmPackage() string {
	system, arch := m.os, m.arch
	if system == "windows" {
		system = "win32"
	}
	if arch == "amd64" {
		arch = "x64"
	}
	return "@dynoxide/" + system + "-" + arch
}

// inPackage returns the path of the binary below the folder where npm has installed the package.
func (m machine) inPackage() string {
	binary := "dynoxide"
	if m.os == "windows" {
		binary += ".exe"
	}
	return filepath.Join("node_modules", filepath.FromSlash(m.npmPackage()), binary)
}

// executable returns an error for what is no program. Windows has no permission for it, but the name's ending.
func (m machine) executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	runs := info.Mode()&0o111 != 0
	if m.os == "windows" {
		runs = strings.EqualFold(filepath.Ext(path), ".exe")
	}
	if !info.Mode().IsRegular() || !runs {
		return errors.New(path + " is not an executable file")
	}
	return nil
}
