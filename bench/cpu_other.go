//go:build !linux

package main

import (
	"errors"
	"time"
)

func (*process) cpu() (time.Duration, error) { return 0, errors.New("bench needs Linux") }
