package reading

import (
	"regexp"
	"strings"

	"github.com/partita/partita/internal/gen/directives/finding"
)

// The words of @allow that are not roles.
const (
	allowPublic = "PUBLIC"
	AllowOwner  = "OWNER"
	AllowViewer = "VIEWER"
)

var roleName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// IsRole reports whether a word names a role. One letter from a word of @allow is none: it would deny in silence what
// that word allows.
func IsRole(word string) bool { return roleName.MatchString(word) && MisspeltWord(word) == "" }

// MisspeltWord returns the word of @allow that another one is a misspelling of, or "". Roles may continue such a word,
// as OWNERS does.
func MisspeltWord(word string) string {
	for _, known := range [...]string{allowPublic, AllowViewer, AllowOwner} {
		if word != known && !strings.HasPrefix(word, known) && finding.Distance(strings.ToUpper(word), known) <= 1 {
			return known
		}
	}
	return ""
}

// RoleFrom returns the role that a word probably means.
func RoleFrom(word string) string {
	if likely := MisspeltWord(word); likely != "" {
		return likely
	}
	if role := strings.ToUpper(notInRole.ReplaceAllString(word, "_")); roleName.MatchString(role) {
		return role
	}
	return AllowViewer
}

var notInRole = regexp.MustCompile(`[^A-Za-z0-9]+`)
