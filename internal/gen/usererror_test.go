package gen

import (
	"testing"

	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

func TestBindUserErrors(t *testing.T) {
	const (
		codes     = "enum Code { INVALID NOT_FOUND TAKEN CONFLICT KEY_REUSED OTHER }\n"
		userError = "type UserError { code: Code! field: String message: String! }\n"
	)
	for name, tt := range map[string]struct {
		schema string
		models config.TypeMap
		bound  bool
	}{
		"all codes":           {codes + userError, nil, true},
		"no such type":        {codes, nil, false},
		"not all codes":       {"enum Code { INVALID }\n" + userError, nil, false},
		"no enum":             {"type UserError { code: String! field: String message: String! }", nil, false},
		"a list of codes":     {codes + "type UserError { code: [Code!]! field: String message: String! }", nil, false},
		"a field more":        {codes + userError + "extend type UserError { line: Int }", nil, false},
		"a field that is set": {codes + "type UserError { code: Code! field: String! message: String! }", nil, false},
		"another field":       {codes + "type UserError { code: Code! path: String message: String! }", nil, false},
		"an interface":        {codes + "interface UserError { code: Code! field: String message: String! }", nil, false},
		"bound already": {
			codes + userError,
			config.TypeMap{"UserError": {Model: config.StringList{"example.org/own.Error"}}}, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			schema, err := gqlparser.LoadSchema(&ast.Source{Input: "type Query { a: Int }\n" + tt.schema})
			if err != nil {
				t.Fatal(err)
			}
			cfg := &config.Config{Schema: schema, Models: config.TypeMap{}}
			for typ, entry := range tt.models {
				cfg.Models[typ] = entry
			}
			bindUserErrors(cfg)
			object, code := cfg.Models["UserError"].Model, cfg.Models["Code"].Model
			if bound := len(code) == 1 && code[0] == writePath+".Code"; bound != tt.bound {
				t.Errorf("the codes are bound to %v", code)
			}
			if bound := len(object) == 1 && object[0] == writePath+".UserError"; bound != tt.bound {
				t.Errorf("UserError is bound to %v", object)
			}
		})
	}
}
