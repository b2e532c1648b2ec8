package local

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/partita/partita/exit"
)

// FindEngine returns the path of the dynoxide binary: the explicit one, or else
// that of the npm package in node_modules of the working directory, of the
// executable's directory, or of a directory above either. Its error is a
// *exit.Error.
func FindEngine(explicit string) (string, error) {
	if explicit != "" {
		if err := executable(explicit); err != nil {
			return "", &exit.Error{
				Problem: fmt.Sprintf("the local engine %s cannot be run", explicit),
				Fix:     "correct DYNOXIDE, or unset it and run \"make install\"",
				Code:    exit.Unavailable, Err: err,
			}
		}
		return explicit, nil
	}
	inPackage := filepath.Join("node_modules", "@dynoxide", npmPlatform(), "dynoxide")
	var starts []string
	if dir, err := os.Getwd(); err == nil {
		starts = append(starts, dir)
	}
	if path, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(path))
	}
	for _, start := range starts {
		for dir := start; ; dir = filepath.Dir(dir) {
			path := filepath.Join(dir, inPackage)
			if executable(path) == nil {
				return path, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", &exit.Error{
		Problem: "the local engine is not installed (no " + inPackage + ")",
		Fix:     `run "make install", or set DYNAMODB_ENDPOINT or AWS credentials to use another table`,
		Code:    exit.Unavailable,
	}
}

func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is not an executable file", path)
	}
	return nil
}

// npmPlatform returns npm's name of the platform, which is part of the package's name.
func npmPlatform() string {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	return runtime.GOOS + "-" + arch
}
