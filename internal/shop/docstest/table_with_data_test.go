package docstest

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// migration is the reader of docs/tutorials/table-with-data.md.
type migration struct {
	reader
	endpoint string
	// gateways are those of the ports on the page.
	gateways map[string]*processtest.Process
	compared int
}

// TestTableWithData follows docs/tutorials/table-with-data.md in an empty folder: it runs its commands and compares
// what they print to standard output. It differs from what a reader does in one way: the ports are free ones.
func TestTableWithData(t *testing.T) {
	t.Parallel()
	m := &migration{reader: reader{dir: t.TempDir()}, gateways: map[string]*processtest.Process{}}
	m.endpoint = tabletest.Start(t, table.Schema{}).Settings.Endpoint
	blocks := readPage(t, "docs/tutorials/table-with-data.md")
	for i, b := range blocks {
		switch {
		case b.file != "":
			m.write(t, b)
		case b.language == "sh" && i+1 < len(blocks) && blocks[i+1].language == "":
			m.compare(t, b.text, blocks[i+1].text)
		case b.language == "sh":
			m.follow(t, b.text)
		}
	}
	if m.compared != 9 {
		t.Errorf("%d outputs were compared", m.compared)
	}
}

// follow runs commands whose output is not on the page.
func (m *migration) follow(t *testing.T, commands string) {
	t.Helper()
	folder, serves := strings.CutPrefix(commands, "partita serve ")
	folder, port, _ := strings.Cut(strings.TrimSpace(folder), " --addr=localhost:")
	switch {
	case strings.HasPrefix(commands, "node_modules/@dynoxide/"): // it runs already
	case serves:
		p := processtest.Launch(t, "serve "+filepath.Join(m.dir, folder), "DYNAMODB_ENDPOINT="+m.endpoint,
			"TABLE_NAME=kitchen")
		p.AwaitServing(t)
		m.gateways[port] = p
	default:
		m.print(t, commands)
	}
}

// print runs commands and returns their standard output.
func (m *migration) print(t *testing.T, commands string) string {
	t.Helper()
	commands = strings.ReplaceAll(commands, "export DYNAMODB_ENDPOINT=http://localhost:8000\n", "")
	for port, p := range m.gateways {
		commands = strings.ReplaceAll(commands, "localhost:"+port, strings.TrimPrefix(p.URL, "http://"))
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-ec", commands)
	cmd.Dir, cmd.Env = m.dir, append(cmd.Environ(), "DYNAMODB_ENDPOINT="+m.endpoint, "TABLE_NAME=kitchen")
	var log strings.Builder
	cmd.Stderr = &log
	printed, err := cmd.Output()
	if err != nil && !strings.HasPrefix(commands, "partita diff ") {
		t.Fatalf("%s: %v\n%s", commands, err, log.String())
	}
	return string(printed)
}

// checked is what a check of the table has read. With the items there is what gateways write about themselves, which is
// larger after a longer time.
var checked = regexp.MustCompile(`requests \d+, read units [\d.]+`)

func (m *migration) compare(t *testing.T, commands, want string) {
	t.Helper()
	// A reader's program is in the folder that has the schemas.
	got := strings.ReplaceAll(m.print(t, commands), m.dir+string(filepath.Separator), "")
	m.compared++
	if strings.HasPrefix(commands, "curl ") {
		if diff := cmp.Diff(timeless(t, want), timeless(t, got)); diff != "" {
			t.Errorf("the answer to %s (-page +service):\n%s\n%s", commands, diff, got)
		}
		return
	}
	want, got = checked.ReplaceAllString(want, ""), checked.ReplaceAllString(got, "")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s prints (-page +program)\n%s", commands, diff)
	}
}
