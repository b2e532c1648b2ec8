package app_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/partita/partita/app"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
)

// TestMain makes the library the program that the tests run.
func TestMain(m *testing.M) { processtest.Main(m, func() { app.Main(library()) }) }

func library() app.Application {
	return app.Application{
		Schema: testservice.Executable(),
		Design: testservice.Design(),
		Decode: app.Decode(model.NewNode),
		Demo:   app.Demo{Items: slices.Values(testservice.Items()), Viewer: testservice.Ada, Query: "{ viewer { name } }"},
	}
}

// TestScripts runs the command lines in testdata. ITEMS is the number of items of the demo data.
func TestScripts(t *testing.T) {
	processtest.RunScripts(t, testservice.TableSchema(), map[string]string{"ITEMS": fmt.Sprint(len(testservice.Items()))})
}
