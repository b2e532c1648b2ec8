package app

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

const (
	// shardsTimeout bounds how long a table that is throttled delays the start.
	shardsTimeout = 2 * time.Second
	// probedCollections is how many collections of an index are looked at.
	probedCollections = 64
)

// checkShards returns an error if the table has entries in shards that no read includes: fields would return short
// pages without an error. Only Queries show that, so that nothing is known of partition keys with other values than
// those of enums and Booleans, nor in a table with tenants. If the table does not answer in time, the gateway starts.
func (s sampleSettings) checkShards(ctx context.Context, a *Application, t *table.Table, log *slog.Logger) error {
	if s.TableSample == 0 || t.Schema().Tenants {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, shardsTimeout)
	defer cancel()
	found, err := check.FindUnread(limited, admin.Scanner{Table: t}, a.checkOptions(), a.collections())
	if len(found) > 0 {
		return &exit.Error{Problem: found[0].Problem, Fix: found[0].Fix, Code: exit.Config}
	}
	if err != nil && ctx.Err() == nil {
		log.InfoContext(ctx, "it is not known whether all shards are read", "table", t.Name(), "error", err)
	}
	return nil
}

// collections returns the values of partition keys of indexes that are read, as far as the schema has all of them.
func (a *Application) collections() []check.Collection {
	var all []check.Collection
	for _, t := range a.Design.Types {
		for i, ix := range t.Indexes {
			if pk := a.Design.Layout.Index(ix.Name).PK; len(pk) != 1 || pk[0].Number || !isRead(a.Design, t, ix) {
				continue
			}
			for _, pk := range partitionKeys(ix.PK, a.Schema.Schema(), t) {
				all = append(all, check.Collection{Type: t, Index: i, PK: pk})
			}
		}
	}
	return all
}

// isRead reports whether a field reads the entries of a type in an index. The gateway may not read other indexes.
func isRead(d *design.Design, t *design.Type, ix design.Index) bool {
	return slices.ContainsFunc(d.Fields, func(f *design.Field) bool {
		return f.Index == ix.Name && slices.ContainsFunc(f.Matches(), func(m design.Match) bool {
			return m.Type == t && m.Shape.PK.String() == ix.PK.String()
		})
	})
}

// partitionKeys returns all values of a partition key, nil if they do not follow from the schema.
func partitionKeys(pk keys.Template, schema *ast.Schema, t *design.Type) []keys.PK {
	combinations := []map[string]string{{}}
	for _, name := range pk.Variables() {
		values := valuesOf(schema, t.Name, name)
		var longer []map[string]string
		for _, c := range combinations {
			for _, v := range values {
				with := map[string]string{name: v}
				for n, v := range c {
					with[n] = v
				}
				longer = append(longer, with)
			}
		}
		if combinations = longer; len(combinations) == 0 || len(combinations) > probedCollections {
			return nil
		}
	}
	var all []keys.PK
	for _, c := range combinations {
		text, err := pk.Build(func(name string) keys.Value { return keys.StringValue(c[name]) })
		if err != nil {
			return nil
		}
		all = append(all, keys.PK(text))
	}
	return all
}

// valuesOf returns the values of an attribute that is an enum or a Boolean.
func valuesOf(schema *ast.Schema, typeName, name string) []string {
	f := schema.Types[typeName].Fields.ForName(name)
	if f == nil || f.Type.Elem != nil {
		return nil
	}
	if f.Type.NamedType == "Boolean" {
		return []string{"false", "true"}
	}
	var names []string
	for _, v := range schema.Types[f.Type.NamedType].EnumValues {
		names = append(names, v.Name)
	}
	return names
}
