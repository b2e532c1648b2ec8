package main

import (
	"net/http"
	"time"

	"github.com/partita/partita/gateway/auth"
	"github.com/partita/partita/viewer"
)

// testSecret signs the tokens that the processes of the tests trust.
const testSecret = "the secret of the tests, 32 bytes or more"

// signIn lets the viewer send a request.
func signIn(r *http.Request, v viewer.Viewer) error {
	token, err := auth.Mint(auth.Settings{Secret: testSecret, SubjectClaim: "sub", RolesClaim: "roles"}, v, 24*time.Hour)
	r.Header.Set("Authorization", "Bearer "+token)
	return err
}
