package folder

import (
	"path"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml"
)

// IsOfModule reports whether a gqlgen.yml names the schema files of a folder, whose path within the folder of the file
// is given with slashes. The schema is then that of a Go module.
func IsOfModule(config []byte, within string) bool {
	var c struct{ Schema []string }
	if yaml.Unmarshal(config, &c) != nil {
		return false
	}
	return slices.ContainsFunc(c.Schema, func(pattern string) bool {
		is, err := doublestar.Match(path.Dir(pattern), within)
		return is && err == nil
	})
}
