package main

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/partita/partita/internal/buildfolder"
	"github.com/partita/partita/internal/fatal"
)

// TestImage: a small program with a schema. `make image-test` runs the real program from its image.
func TestImage(t *testing.T) {
	t.Parallel()
	dir := buildfolder.New(t)
	program, schema := buildSmall(t, dir), writeSchema(t, dir)
	output := filepath.Join(dir, "image")
	fatal.If(t, write(output, schema, []string{program, program}))
	index, img := read(t, output)
	fatal.If(t, validate.Index(index))

	manifest, err := index.IndexManifest()
	fatal.If(t, err)
	if p := manifest.Manifests[0].Platform; p == nil || p.OS != "linux" || p.Architecture != goarch(t) {
		t.Errorf("the index has the platform %v", p)
	}
	config, err := img.ConfigFile()
	fatal.If(t, err)
	if config.OS != "linux" || config.Architecture != goarch(t) {
		t.Errorf("the image is for %s/%s", config.OS, config.Architecture)
	}
	wantConfig(t, config.Config, "/partita", "serve", "/schema")
	want := map[string]int64{
		"partita": 0o555, "schema/query.graphql": 0o444, "schema/schema.graphqls": 0o444,
	}
	if diff := cmp.Diff(want, filesOf(t, img)); diff != "" {
		t.Error("files of the image (-want +got)\n", diff)
	}

	alone := filepath.Join(dir, "alone")
	fatal.If(t, write(alone, schema, []string{program}))
	_, same := read(t, alone)
	if digest, err := same.Digest(); err != nil || digest != manifest.Manifests[0].Digest {
		t.Errorf("the same program gives %s and %s (%v)", manifest.Manifests[0].Digest, digest, err)
	}
}

// TestNotAnImage: what could not run from an image, or would serve nothing, is not written.
func TestNotAnImage(t *testing.T) {
	t.Parallel()
	dir := buildfolder.New(t)
	program := buildSmall(t, dir)
	text := filepath.Join(dir, "text")
	fatal.If(t, os.WriteFile(text, []byte("#!/bin/sh\n"), 0o755))
	empty := filepath.Join(dir, "empty")
	fatal.If(t, os.Mkdir(empty, 0o755))
	output := filepath.Join(dir, "image")
	for name, test := range map[string]struct {
		schema, program, want string
	}{
		"a script":          {"", text, "has to be a program for Linux"},
		"shared libraries":  {"", "/bin/sh", "CGO_ENABLED=0"},
		"no program":        {"", filepath.Join(dir, "missing"), "missing"},
		"no schema":         {empty, program, "no schema files"},
		"a missing schema":  {filepath.Join(dir, "missing"), program, "missing"},
		"a wrong schema":    {writeText(t, empty+"2", "type Query { a: Int @get(pk: \"A\") }"), program, "@get"},
		"no output, at all": {"", "", "-output"},
	} {
		to := output
		if test.program == "" {
			to = ""
		}
		if err := write(to, test.schema, []string{test.program}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(output); !errors.Is(err, os.ErrNotExist) {
		t.Error("an image was written:", err)
	}
}

// buildSmall compiles a program that needs no package, which takes a moment only.
func buildSmall(t *testing.T, dir string) string {
	t.Helper()
	fatal.If(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/small\n\ngo 1.26\n"), 0o600))
	fatal.If(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o600))
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", "small", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return filepath.Join(dir, "small")
}

func writeSchema(t *testing.T, dir string) string {
	t.Helper()
	schema := writeText(t, filepath.Join(dir, "tasks"), `
type Query { task(id: ID!): Task @get(pk: "TASK#{id}", sk: "TASK#{id}") }
type Task implements Node @item(pk: "TASK#{id}", sk: "TASK#{id}") @allow(to: ["PUBLIC"]) { id: ID! }
`)
	for _, name := range []string{"query.graphql", "data.jsonl", "notes.txt"} {
		fatal.If(t, os.WriteFile(filepath.Join(schema, name), nil, 0o600))
	}
	return schema
}

func writeText(t *testing.T, dir, schema string) string {
	t.Helper()
	fatal.If(t, os.MkdirAll(dir, 0o755))
	fatal.If(t, os.WriteFile(filepath.Join(dir, "schema.graphqls"), []byte(schema), 0o600))
	return dir
}

// read returns the index of the images in a layout, and the first of them.
func read(t *testing.T, output string) (v1.ImageIndex, v1.Image) {
	t.Helper()
	index, err := layout.ImageIndexFromPath(output)
	fatal.If(t, err)
	manifest, err := index.IndexManifest()
	fatal.If(t, err)
	if len(manifest.Manifests) != 1 {
		t.Fatalf("the layout has %d entries", len(manifest.Manifests))
	}
	if first := manifest.Manifests[0]; first.MediaType.IsIndex() {
		index, err = index.ImageIndex(first.Digest)
		fatal.If(t, err)
		manifest, err = index.IndexManifest()
		fatal.If(t, err)
	}
	img, err := index.Image(manifest.Manifests[0].Digest)
	fatal.If(t, err)
	return index, img
}

func wantConfig(t *testing.T, got v1.Config, entrypoint string, command ...string) {
	t.Helper()
	for _, label := range []string{"title", "version", "revision", "created"} {
		if _, is := got.Labels["org.opencontainers.image."+label]; !is {
			t.Errorf("there is no label %s", label)
		}
	}
	got.Labels = nil
	want := v1.Config{
		Entrypoint: []string{entrypoint}, Cmd: command, User: "65532:65532", Env: []string{"ADDR=:8080"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}}, WorkingDir: "/",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("configuration of the image (-want +got)\n", diff)
	}
}

// filesOf returns the files of an image with their permissions. All belong to root.
func filesOf(t *testing.T, img v1.Image) map[string]int64 {
	t.Helper()
	content := mutate.Extract(img)
	defer content.Close()
	files := map[string]int64{}
	for r := tar.NewReader(content); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		fatal.If(t, err)
		if header.Uid != 0 || header.Gid != 0 || header.Typeflag != tar.TypeReg {
			t.Errorf("%s is of %d:%d, type %c", header.Name, header.Uid, header.Gid, header.Typeflag)
		}
		files[header.Name] = header.Mode
	}
}

func goarch(t *testing.T) string {
	t.Helper()
	text, err := exec.CommandContext(t.Context(), "go", "env", "GOARCH").Output()
	fatal.If(t, err)
	return strings.TrimSpace(string(text))
}
