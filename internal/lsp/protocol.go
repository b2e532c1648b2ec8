package lsp

// The parts of the protocol that the server uses, with their names there.
//
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"` // in UTF-16
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// before reports whether a position is before another one.
func (p position) before(o position) bool {
	return p.Line < o.Line || p.Line == o.Line && p.Character < o.Character
}

func (r textRange) touches(o textRange) bool { return !r.End.before(o.Start) && !o.End.before(r.Start) }

type textDocument struct {
	URI  string `json:"uri"`
	Text string `json:"text"` // of one that is opened
}

type documentParams struct {
	TextDocument   textDocument `json:"textDocument"`
	ContentChanges []struct {
		Text string `json:"text"`
	} `json:"contentChanges"`
}

type initializeResult struct {
	Capabilities capabilities `json:"capabilities"`
	ServerInfo   serverInfo   `json:"serverInfo"`
}

type capabilities struct {
	TextDocumentSync   textDocumentSync  `json:"textDocumentSync"`
	CodeActionProvider codeActionOptions `json:"codeActionProvider"`
}

type textDocumentSync struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"`
	Save      bool `json:"save"`
}

// fullText is the value of textDocumentSync.change with which a change has the whole text.
const fullText = 1

type codeActionOptions struct {
	CodeActionKinds []string `json:"codeActionKinds"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type publishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Range    textRange `json:"range"`
	Severity int       `json:"severity"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
}

const severityError = 1

type codeActionParams struct {
	TextDocument textDocument `json:"textDocument"`
	Range        textRange    `json:"range"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics"`
	IsPreferred bool          `json:"isPreferred"`
	Edit        workspaceEdit `json:"edit"`
}

const quickFix = "quickfix"

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"` // by URI
}

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}
