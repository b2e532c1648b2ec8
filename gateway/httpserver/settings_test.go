package httpserver

import (
	"testing"

	"github.com/alecthomas/kong"
)

func TestDefaultsOfFlagsAreThoseOfZero(t *testing.T) {
	var server Settings
	parser, err := kong.New(&server)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(nil); err != nil {
		t.Fatal(err)
	}
	if want := (Settings{Grace: server.Grace}).withDefaults(); server != want {
		t.Errorf("got %+v, want %+v", server, want)
	}
}
