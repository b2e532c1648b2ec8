// Package response is what the callers of a gateway get: the result of an operation, or why it was not executed.
//
// Its files build on each other:
//
//	accept.go, streamaccept.go  choose the media type by the header Accept
//	cost.go                     is what an operation has consumed, as a response has it
//	codes.go                    are the codes of errors, and how many are listed
//	requesterror.go             is an error because of which an operation is not executed
//	response.go                 is a result, and how it is written, in buffers (buffers.go)
//	errors.go                   decides which part of an error is sent to the caller, and which part is only logged
//	compress.go                 encodes responses in gzip
package response
