// Package folder opens a folder of schema files, from which an API is served without Go.
//
// A folder has the schema in its *.graphqls files. Folders below it are not read. With the local engine, the items of a
// new table are in data.jsonl or data.jsonl.gz: lines as DynamoDB exports them to S3. query.graphql is the playground's
// first document. The last two are optional. .partita has what editors need, see package editors.
//
// # Why it is so
//
// A folder is not recursive: a folder below it may be another version or the data of the local engine, and a file that
// is served by accident is worse than one that has to be moved. What is read as a whole is a regular file: a pipe may
// have no end.
//
// Only --watch reloads schemas: in production a new schema needs indexes, a policy and replicas that change together,
// which a deployment orders.
package folder

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/editors"
	"github.com/partita/partita/internal/gen/directives"
)

// Names of the files of a folder.
const (
	// schemaSuffix is the end of the names of schema files.
	schemaSuffix = ".graphqls"
	// DataFile and dataFileGzip have the items of a new table.
	DataFile     = "data.jsonl"
	dataFileGzip = DataFile + ".gz"
	// QueryFile has the playground's first document.
	QueryFile = "query.graphql"
	// DataDir is the local engine's data directory.
	DataDir = ".data"
)

// Folder is a folder of schema files whose design has no findings.
type Folder struct {
	// Dir is the folder's path, as it was given.
	Dir    string
	Schema *directives.Schema
	// Files are the paths of the schema files, sorted.
	Files []string
	// Data is the path of the file with the items of a new table; "" if there is none.
	Data string
	// Query is the playground's first document; "" if there is none.
	Query string
	// Version is another text if the schema or Query is another one.
	Version string

	sources []*ast.Source
}

// Open reads a folder. The error is [directives.Findings] for a schema that cannot be served, and an *exit.Error for a
// folder that cannot be read.
func Open(dir string) (*Folder, error) {
	sources, err := Sources(dir)
	if err != nil {
		return nil, err
	}
	schema, err := Load(sources, false)
	if err != nil {
		return nil, err
	}
	f := &Folder{Dir: dir, Schema: schema, sources: sources}
	for _, source := range sources {
		f.Files = append(f.Files, source.Name)
	}
	query, err := ReadFile(filepath.Join(dir, QueryFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, cannotRead(filepath.Join(dir, QueryFile), err)
	}
	f.Query = string(query)
	f.Version = version(append(sources, &ast.Source{Name: QueryFile, Input: f.Query}))
	f.Data, err = dataFile(dir)
	return f, err
}

// WriteForEditors writes what editors need beside the folder's files, if it has a place for that.
func (f *Folder) WriteForEditors() error {
	return editors.Write(f.Dir, "partita serve --watch", f.Schema.AST, f.sources...)
}

// IsFolder reports whether a path is a folder with schema files.
func IsFolder(path string) bool {
	entries, err := os.ReadDir(path)
	return err == nil && slices.ContainsFunc(entries, isSchemaFile)
}

func isSchemaFile(e fs.DirEntry) bool { return !e.IsDir() && IsSchemaFile(e.Name()) }

// IsSchemaFile reports whether a file of a folder is one with its schema.
func IsSchemaFile(name string) bool {
	return strings.HasSuffix(name, schemaSuffix) && !strings.HasPrefix(name, ".")
}

// Sources returns the schema files of a folder, at least one, sorted by name. The error is an *exit.Error.
func Sources(dir string) ([]*ast.Source, error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noInput("there is no folder "+dir, "name a folder with schema files (*"+schemaSuffix+")", err)
	case errors.Is(err, syscall.ENOTDIR):
		return nil, noInput(dir+" is no folder", "name the folder of the file", err)
	case err != nil:
		return nil, cannotRead(dir, err)
	}
	var sources []*ast.Source
	for _, e := range entries {
		if !isSchemaFile(e) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		text, err := ReadFile(path)
		if err != nil {
			return nil, cannotRead(path, err)
		}
		sources = append(sources, &ast.Source{Name: path, Input: string(text)})
	}
	if len(sources) == 0 {
		return nil, noInput(fmt.Sprintf("the folder %s has no schema files (*%s)", dir, schemaSuffix),
			"name the folder that has them; those below it are not read", nil)
	}
	return sources, nil
}

// version returns a hash of files.
func version(sources []*ast.Source) string {
	hash := sha256.New()
	for _, s := range sources {
		_, _ = fmt.Fprintf(hash, "%q %q\n", s.Name, s.Input) // a hash returns no error
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// Findings returns what is wrong with schema files. With Go, code resolves fields that have no directive.
func Findings(sources []*ast.Source, hasGo bool) directives.Findings {
	_, err := Load(sources, hasGo)
	findings, _ := errors.AsType[directives.Findings](err)
	return findings
}

// Load returns the schema of files without [Findings], which are its error.
func Load(sources []*ast.Source, hasGo bool) (*directives.Schema, error) {
	loaded, err := directives.Load(sources...)
	if err != nil {
		return nil, err
	}
	schema, err := directives.Read(loaded)
	if err != nil || hasGo {
		return schema, err
	}
	findings := append(slices.Clone(schema.Unread), needingGo(schema)...)
	if len(findings) == 0 {
		return schema, nil
	}
	findings.Sort()
	return nil, findings
}

// dataFile returns the path of the file with the items of a new table, "" if there is none.
func dataFile(dir string) (string, error) {
	var found []string
	for _, name := range []string{DataFile, dataFileGzip} {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err == nil {
			err = checkRegular(path, info)
		}
		switch {
		case err == nil:
			found = append(found, path)
		case !errors.Is(err, fs.ErrNotExist):
			return "", cannotRead(path, err)
		}
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0], nil
	}
	return "", &exit.Error{
		Problem: "both " + strings.Join(found, " and ") + " have the items of a new table",
		Fix:     "remove one of them", Code: exit.DataError,
	}
}

func cannotRead(path string, err error) error {
	if cause, is := errors.AsType[*fs.PathError](err); is {
		err = cause.Err
	}
	return noInput(fmt.Sprintf("%s cannot be read (%v)", path, err), "name a folder with files that can", err)
}

func noInput(problem, fix string, err error) error {
	return &exit.Error{Problem: problem, Fix: fix, Code: exit.NoInput, Err: err}
}
