package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpu returns the user and system time that the process has used, in nanoseconds as the scheduler counts them.
func (p *process) cpu() (time.Duration, error) {
	// The clock of a process is its inverted id and CPUCLOCK_SCHED, as in clock_getcpuclockid of glibc.
	// https://elixir.bootlin.com/linux/v6.18/source/include/linux/posix-timers_types.h
	const clockSched = 2
	var t unix.Timespec
	err := unix.ClockGettime(^int32(p.cmd.Process.Pid)<<3|clockSched, &t)
	return time.Duration(t.Nano()), err
}
