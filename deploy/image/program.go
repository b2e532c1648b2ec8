package main

import (
	"debug/buildinfo"
	"debug/elf"
	"fmt"
	"runtime/debug"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// program is what a binary says of itself.
type program struct {
	platform                  *v1.Platform
	module, version, revision string
	// created is the time of the commit, so that the same commit gives the same image; 1970 if it is not known.
	created time.Time
}

// open reads what a binary says of itself. The error is also for one that cannot run without other files.
func open(path string) (*program, error) {
	if err := checkStatic(path); err != nil {
		return nil, err
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: it has to be a program in Go (%w)", path, err)
	}
	p := &program{
		module: info.Main.Path, version: info.Main.Version, revision: setting(info, "vcs.revision"),
		platform: &v1.Platform{OS: setting(info, "GOOS"), Architecture: setting(info, "GOARCH")},
		created:  time.Unix(0, 0).UTC(),
	}
	if at, err := time.Parse(time.RFC3339, setting(info, "vcs.time")); err == nil {
		p.created = at.UTC()
	}
	return p, nil
}

// checkStatic returns an error for a program that needs a loader, which the image has not.
func checkStatic(path string) error {
	file, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("%s: it has to be a program for Linux, built with GOOS=linux (%w)", path, err)
	}
	defer file.Close()
	for _, part := range file.Progs {
		if part.Type == elf.PT_INTERP {
			return fmt.Errorf("%s: it needs shared libraries; build it with CGO_ENABLED=0", path)
		}
	}
	return nil
}

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
