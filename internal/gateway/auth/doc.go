// Package auth authenticates the sender of an operation by a JSON Web Token in the Authorization header (RFC 7519, RFC
// 6750). Without a token the caller is anonymous. A token that is not trusted is an error, and is never ignored.
//
// Tokens are signed either with keys that an identity provider publishes as a JSON Web Key Set, or with one shared
// secret. The accepted algorithms depend only on that choice, not on the token (RFC 8725, section 3.1).
package auth
