package service

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	lru "github.com/hashicorp/golang-lru/v2"
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

// tokens is how many verified tokens are kept.
const tokens = 1000

// verified is a token that has been verified.
type verified struct {
	viewer  Viewer
	expires time.Time
}

// authenticated allows requests with a valid token. The signature of a token is verified once, as by Partita.
func authenticated(secret []byte, next http.Handler) http.Handler {
	parser := jwt.NewParser(jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithExpirationRequired())
	var key jwt.Keyfunc = func(*jwt.Token) (any, error) { return secret, nil }
	known, err := lru.New[string, verified](tokens)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		v, is := known.Get(text)
		if !is || time.Now().After(v.expires) {
			var c claims
			if _, err := parser.ParseWithClaims(text, &c, key); err != nil {
				w.Header().Set("WWW-Authenticate", "Bearer")
				http.Error(w, "the token is not valid", http.StatusUnauthorized)
				return
			}
			v = verified{Viewer{ID: c.Subject, Roles: c.Roles}, c.ExpiresAt.Time}
			known.Add(text, v)
		}
		if l, ok := w.(*response); ok {
			l.viewer = v.viewer.ID
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), viewerKey{}, v.viewer)))
	})
}
