package platform

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Lock locks a file until it is closed or the process ends. The error is that another process has locked it.
//
// A locked byte cannot be read by other processes. The lock is one byte far behind the end, so that they can read what
// the file contains.
func Lock(f *os.File) error {
	behind := &windows.Overlapped{OffsetHigh: 1 << 30}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, behind)
}

// selectSocket is not in golang.org/x/sys/windows.
// https://learn.microsoft.com/windows/win32/api/winsock2/nf-winsock2-select
var selectSocket = windows.NewLazySystemDLL("ws2_32.dll").NewProc("select")

// IsSilent reports whether a socket has received nothing that was not read, not even the end. It does not wait. What it
// reads is lost, so the connection is useless unless the result is true. The buffer has at least one byte.
//
// A read as on Unix would wait: Go's sockets are in blocking mode on Windows, and its reads are overlapped. The function
// select with a timeout of zero does not wait. A socket is readable if data have arrived, or if the other side has closed
// or reset the connection. A failure counts as not silent, and the connection is not used again.
func IsSilent(socket uintptr, _ []byte) bool {
	readable := struct { // fd_set, with room for one
		count  uint32
		socket uintptr
	}{1, socket}
	var now struct{ seconds, microseconds int32 } // timeval
	// The first argument is ignored. The result is the number of sockets, or -1.
	n, _, _ := selectSocket.Call(0, uintptr(unsafe.Pointer(&readable)), 0, 0, uintptr(unsafe.Pointer(&now)))
	return n == 0
}

// IsReset reports whether the other side of a connection has closed it without reading everything.
func IsReset(err error) bool {
	return errors.Is(err, windows.WSAECONNRESET) || errors.Is(err, windows.WSAECONNABORTED)
}

// IsAddressInUse reports whether a process listens on the address already.
func IsAddressInUse(err error) bool { return errors.Is(err, windows.WSAEADDRINUSE) }

// IsNoAddress reports whether the machine lacks the address, or all of its family.
func IsNoAddress(err error) bool {
	return errors.Is(err, windows.WSAEADDRNOTAVAIL) || errors.Is(err, windows.WSAEAFNOSUPPORT)
}
