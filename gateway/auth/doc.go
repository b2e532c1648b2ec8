// Package auth finds out who sends an operation, from a JSON Web Token in the Authorization header (RFC 7519, RFC
// 6750). Without a token the caller is anonymous; a token that cannot be trusted is refused, never ignored.
//
// Tokens are signed either with keys that an identity provider publishes as a JSON Web Key Set, or with one shared
// secret. Which algorithms are accepted follows from that alone, not from the token (RFC 8725, section 3.1).
package auth
