// Package platform has what differs between operating systems: locks of files, sockets and their errors, and the
// attributes of child processes.
package platform
