package several

import (
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// ToEngine translates a CreateTable, or a description of a table, to what the engine creates.
func ToEngine(table map[string]any) {
	types := map[string]string{}
	for _, d := range objects(table["AttributeDefinitions"]) {
		types[text(d["AttributeName"])] = text(d["AttributeType"])
	}
	used := map[string]bool{}
	use := func(schema any) {
		for _, e := range objects(schema) {
			used[text(e["AttributeName"])] = true
		}
	}
	use(table["KeySchema"])
	for _, ix := range objects(table["LocalSecondaryIndexes"]) {
		use(ix["KeySchema"])
	}
	for _, ix := range objects(table["GlobalSecondaryIndexes"]) {
		by := map[string]keys.KeyAttributes{}
		for _, e := range objects(ix["KeySchema"]) {
			name, kind := text(e["AttributeName"]), text(e["KeyType"])
			by[kind] = append(by[kind], keys.KeyAttribute{Name: name, Number: types[name] == "N"})
		}
		var schema []any
		var projected []string
		for _, kind := range []string{"HASH", "RANGE"} {
			k := newKey(text(ix["IndexName"]), kind, by[kind])
			if k.hidden == "" {
				continue
			}
			schema = append(schema, object{"AttributeName": k.hidden, "KeyType": kind})
			if k.isSeveral() {
				projected, types[k.hidden] = append(projected, k.Names()...), "S"
			}
		}
		ix["KeySchema"] = schema
		use(schema)
		p, _ := ix["Projection"].(object)
		if len(projected) == 0 || text(p["ProjectionType"]) == "ALL" {
			continue
		}
		include := slices.Clone(projected)
		for _, name := range list(p["NonKeyAttributes"]) {
			include = append(include, text(name))
		}
		ix["Projection"] = object{"ProjectionType": "INCLUDE", "NonKeyAttributes": include}
	}
	var definitions []any
	for name := range used {
		definitions = append(definitions, object{"AttributeName": name, "AttributeType": types[name]})
	}
	table["AttributeDefinitions"] = definitions
}

// fromEngine translates a description of the engine, and returns the table's indexes.
func fromEngine(table object) []index {
	var all []index
	types := map[string]any{}
	for _, d := range objects(table["AttributeDefinitions"]) {
		types[text(d["AttributeName"])] = d["AttributeType"]
	}
	for _, ix := range objects(table["GlobalSecondaryIndexes"]) {
		x := index{name: text(ix["IndexName"])}
		var schema []any
		var projected []string
		for _, e := range objects(ix["KeySchema"]) {
			k := parseKey(text(e["AttributeName"]))
			if text(e["KeyType"]) == "HASH" {
				x.pk = k
			} else {
				x.sk = k
			}
			for _, a := range k.KeyAttributes {
				schema = append(schema, object{"AttributeName": a.Name, "KeyType": e["KeyType"]})
				if k.isSeveral() {
					projected, types[a.Name] = append(projected, a.Name), "S"
				}
				if k.isSeveral() && a.Number {
					types[a.Name] = "N"
				}
			}
		}
		ix["KeySchema"] = schema
		all = append(all, x)
		p, _ := ix["Projection"].(object)
		if len(projected) == 0 || text(p["ProjectionType"]) != "INCLUDE" {
			continue
		}
		include := slices.DeleteFunc(list(p["NonKeyAttributes"]), func(name any) bool {
			return slices.Contains(projected, text(name))
		})
		if p["NonKeyAttributes"] = include; len(include) == 0 {
			ix["Projection"] = object{"ProjectionType": "KEYS_ONLY"}
		}
	}
	var definitions []any
	for name, typ := range types {
		if !strings.HasPrefix(name, mark) {
			definitions = append(definitions, object{"AttributeName": name, "AttributeType": typ})
		}
	}
	if len(definitions) > 0 {
		table["AttributeDefinitions"] = definitions
	}
	return all
}
