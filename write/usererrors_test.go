package write_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

func TestUserErrors(t *testing.T) {
	t.Parallel()
	var errs write.UserErrors
	if errs.Any() || errs.List() == nil || len(errs.List()) != 0 {
		t.Errorf("the zero value has %v", errs.List())
	}
	errs.Add("OTHER", "", "%d%%", 7)
	errs.Missing("noteId", "Note")
	_, err := write.Items(noteType, nil)
	if !errs.AddInput("", err) || !errs.AddInput("lines.0", err) {
		t.Errorf("%v is no InputError", err)
	}
	if errs.AddInput("x", errors.New("broken")) || errs.AddInput("x", nil) {
		t.Error("any error is an InputError")
	}
	if key := errs.Key("noteId", noteID("n"), "Note", noteKey); key != (keys.Key{PK: "NOTE#n", SK: "NOTE#n"}) {
		t.Errorf("the key is %v", key)
	}
	errs.Key("noteId", keys.NewID("User", "u"), "Note", noteKey)
	errs.Key("noteId", noteID("a#b"), "Note", noteKey)
	var got []string
	for _, e := range errs.List() {
		field := "-"
		if e.Field != nil {
			field = *e.Field
		}
		got = append(got, string(e.Code)+" "+field+": "+e.Message)
	}
	want := []string{
		"OTHER -: 7%",
		"NOT_FOUND noteId: there is no Note with this id",
		"INVALID id: id must be given",
		"INVALID lines.0: id must be given",
		"INVALID noteId: noteId must be an id of type Note, exactly as a response gave it",
		"INVALID noteId: noteId must be an id of type Note, exactly as a response gave it",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || !errs.Any() {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	for _, code := range write.Codes() {
		var text strings.Builder
		code.MarshalGQL(&text)
		var read write.Code
		if err := read.UnmarshalGQL(strings.Trim(text.String(), `"`)); err != nil || read != code {
			t.Errorf("%s is read as %s, %v", text.String(), read, err)
		}
	}
	var code write.Code
	if err := code.UnmarshalGQL(7); err == nil {
		t.Error("a number is a code")
	}
}
