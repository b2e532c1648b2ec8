// Package typed is the design of the test service as Go. All of it is generated.
package typed
