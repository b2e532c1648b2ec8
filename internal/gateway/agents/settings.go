package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/partita/partita/internal/jsonerror"
)

// SettingsFile is the name of the file with the Settings in a folder of operations.
const SettingsFile = "tools.json"

// Settings are what an operator decides about tools: the file tools.json.
type Settings struct {
	// Mutations are the names of the mutations that are tools. All others are left out.
	Mutations []string `json:"mutations"`
	// Subscriptions are the names of the subscriptions that are tools. All others are left out.
	Subscriptions []string `json:"subscriptions"`
	// Search and Query enable the tools search_schema and query.
	Search bool `json:"search"`
	Query  bool `json:"query"`
	// Session is what a session may consume.
	Session Amount `json:"session"`
	// AnswerBytes is the size of the largest answer, in bytes of JSON.
	AnswerBytes int `json:"answerBytes"`
}

// Amount is what a session may consume, or has consumed.
type Amount struct {
	// Units are read units, a write unit counted as operation.WriteUnitWeight.
	Units float64 `json:"units"`
	// Objects are those in answers.
	Objects float64 `json:"objects"`
	// Bytes are those of answers, as JSON.
	Bytes float64 `json:"bytes"`
}

// defaultSettings let an agent read some hundred pages. 64 KiB of JSON are some 16,000 tokens, which a model reads as a
// whole.
var defaultSettings = Settings{
	Session: Amount{Units: 2000, Objects: 20_000, Bytes: 2 << 20}, AnswerBytes: 64 << 10,
}

// readSettings reads tools.json; nil for the defaults.
func readSettings(file []byte) (Settings, error) {
	s := defaultSettings
	if file == nil {
		return s, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(file))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s); err != nil {
		return s, fmt.Errorf("%s: %w", SettingsFile, jsonerror.Describe(err))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return s, fmt.Errorf("%s: there is something after the object", SettingsFile)
	}
	for name, n := range map[string]float64{
		"session.units": s.Session.Units, "session.objects": s.Session.Objects, "session.bytes": s.Session.Bytes,
		"answerBytes": float64(s.AnswerBytes),
	} {
		if n <= 0 {
			return s, fmt.Errorf("%s: %s must be positive", SettingsFile, name)
		}
	}
	return s, nil
}
