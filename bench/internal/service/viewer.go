package service

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

// Viewer is who sent a request.
type Viewer struct {
	ID    string
	Roles []string
}

// IsAdmin reports whether the viewer has the role ADMIN.
func (v Viewer) IsAdmin() bool { return slices.Contains(v.Roles, "ADMIN") }

// MayRead reports whether the viewer may read what belongs to the user.
func (v Viewer) MayRead(owner string) bool { return v.ID == owner || v.IsAdmin() }

type viewerKey struct{}

// ViewerOf returns the viewer of the request that has the context.
func ViewerOf(ctx context.Context) Viewer {
	v, _ := ctx.Value(viewerKey{}).(Viewer)
	return v
}

type claims struct {
	jwt.RegisteredClaims
	Roles []string `json:"roles"`
}

// authenticated verifies the token of each request.
func authenticated(secret []byte, next http.Handler) http.Handler {
	parser := jwt.NewParser(jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithExpirationRequired())
	var key jwt.Keyfunc = func(*jwt.Token) (any, error) { return secret, nil }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		var c claims
		if _, err := parser.ParseWithClaims(text, &c, key); err != nil {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "the token is not valid", http.StatusUnauthorized)
			return
		}
		if l, ok := w.(*response); ok {
			l.viewer = c.Subject
		}
		ctx := context.WithValue(r.Context(), viewerKey{}, Viewer{ID: c.Subject, Roles: c.Roles})
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}
