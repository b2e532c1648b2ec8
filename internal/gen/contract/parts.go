package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/migrate"
)

// storedBy returns what a version stores.
func storedBy(v Version) migrate.Version {
	schema := v.Source
	if schema == nil {
		schema = v.API
	}
	return migrate.Version{Schema: &directives.Schema{Design: v.Design, AST: schema}}
}

// parts adds what differs in what is stored.
func (d *designs) parts(base, head migrate.Version) {
	difference := migrate.Compare(base, head)
	for _, p := range difference.Parts {
		isNested := strings.Contains(p.Name, ".") // a field of an object within an attribute
		isOnlyKey := (p.From == migrate.InKeys) != (p.To == migrate.InKeys)
		isSaid := p.Change == migrate.Changed && (p.Blocked != "" || isOnlyKey)
		if p.Kind == migrate.AttributeOf && (!isNested && isSaid || isNested && p.Blocked == "") {
			continue // values and keyOnly say what becomes of it.
		}
		if p.Kind == migrate.ItemKey && p.Blocked != "" {
			continue // ids says what becomes of it.
		}
		path, at := "schema", positionsOf(base.AST.Query, head.AST.Query)
		if p.Type != "" {
			path, at = d.place(&difference, p)
		}
		switch {
		case p.Blocked != "":
			d.data(path, at, p.Blocked, "%s: no migration leads there", partText(p))
		case p.Change == migrate.Gone && p.Kind != migrate.EnumValue && !p.IsFree: // Nobody misses it meanwhile.
			d.safe(path, at, "%s: what is stored of it stays until "+migrateRun+" and `partita migrate finish`", partText(p))
		case !p.IsFree:
			d.damaging[path] = true
			d.add(Change{Level: NeedsData, Path: path, What: partText(p) + ": " + needOf(p), Fix: fixOf(p)}, at)
		}
	}
}

// place returns the coordinate of a part of a type, and where it is.
func (d *designs) place(difference *migrate.Difference, p migrate.Part) (path string, at positions) {
	was := d.comparison.base.Types[cmp.Or(difference.FormerType(p.Type), p.Type)]
	is := d.comparison.head.Types[p.Type]
	if was == nil && is == nil {
		return p.Type, at
	}
	path, at = p.Type, positionsOf(was, is)
	ofField := []migrate.PartKind{migrate.AttributeOf, migrate.EnumValue, migrate.Claim, migrate.CounterOf}
	if !slices.Contains(ofField, p.Kind) {
		return path, at
	}
	at = positions{fieldPosition(was, cmp.Or(difference.FormerField(p.Type, p.Name), p.Name)), fieldPosition(is, p.Name)}
	if at.base == nil && at.head == nil {
		at = positionsOf(was, is)
	}
	return path + "." + p.Name, at
}

func fieldPosition(def *ast.Definition, name string) *ast.Position {
	if def == nil || def.Fields.ForName(name) == nil {
		return nil
	}
	return def.Fields.ForName(name).Position
}

var partNames = map[migrate.PartKind]string{
	migrate.ItemKey: "the key of its items", migrate.CopyItem: "a copy", migrate.AttributeOf: "the attribute",
	migrate.EnumValue: "a stored value", migrate.Claim: "its claim", migrate.CounterOf: "the counter",
	migrate.TypeOf: "the stored type", migrate.TypeValue: "the value of the type attribute, or a constant",
	migrate.Expiry:   "the attribute by which objects expire",
	migrate.TableKey: "the key of the table",
}

// partText returns what differs in words.
func partText(p migrate.Part) string {
	name := partNames[p.Kind]
	switch p.Kind {
	case migrate.IndexEntry:
		name = "the entry in index " + p.Name
	case migrate.TableIndex:
		name = "index " + p.Name
	}
	switch p.Change {
	case migrate.New:
		return fmt.Sprintf("%s is new (%s)", name, p.To)
	case migrate.Gone:
		return fmt.Sprintf("%s is gone (%s)", name, p.From)
	default:
		return fmt.Sprintf("%s was %s and is %s", name, p.From, p.To)
	}
}

const migrateRun = "`partita migrate run`"

// needOf returns what stored data lack.
func needOf(p migrate.Part) string {
	switch {
	case p.Kind == migrate.EnumValue && p.Change == migrate.Gone:
		return "an object that has it stops " + migrateRun
	case p.Kind == migrate.EnumValue:
		return "stored objects have the former before " + migrateRun + ", and are read with either"
	case p.Kind == migrate.TableIndex:
		return "the table does not have it before " + migrateRun
	case p.IsInPlace:
		return "stored objects have the former before " + migrateRun + ", and fields that need it are NOT_READY meanwhile"
	default:
		return "stored objects lack it before " + migrateRun
	}
}

// fixOf returns how to get there.
func fixOf(p migrate.Part) string {
	isRequired := p.Kind == migrate.AttributeOf && (p.Change == migrate.New || p.To == p.Name+"!")
	switch {
	case isRequired:
		return "write @default(value:), or let it be null; then " + migrateRun + ": an object without a value stops it"
	case p.Kind == migrate.EnumValue && p.Change == migrate.Gone:
		return "change the objects that have it, or write @was on a new value that takes its place; then " + migrateRun
	default:
		return migrateRun + " with this schema, then `partita migrate finish`"
	}
}
