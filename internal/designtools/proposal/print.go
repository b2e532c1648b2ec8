package proposal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

// print adds the directives of all keys and needs to the files, and returns their texts.
func (p *placer) print() []*ast.Source {
	for _, name := range p.names {
		if all := p.keys[name]; len(all) > 0 {
			p.printType(name, all)
		}
	}
	for _, n := range p.needs {
		n.def.Directives = append(n.def.Directives, p.read(n))
	}
	texts := make([]*ast.Source, len(p.files))
	for i, file := range p.files {
		var b strings.Builder
		formatter.NewFormatter(&b, formatter.WithIndent("  "), formatter.WithComments()).FormatSchemaDocument(file)
		texts[i] = &ast.Source{Name: p.sources[i].Name, Input: b.String()}
	}
	return texts
}

// printType adds the directives of a type. An entry of an index belongs to the stored item of its place.
func (p *placer) printType(name string, all []*key) {
	def := p.defs[name][0]
	add := func(directive string, k *key, more ...*ast.Argument) {
		arguments := []*ast.Argument{}
		if k.index != "" {
			arguments = append(arguments, argument("name", ast.StringValue, k.index))
		}
		arguments = append(arguments, argument("pk", ast.StringValue, p.template(name, k.pk, false, itself)),
			argument("sk", ast.StringValue, p.template(name, k.sk, true, itself)))
		def.Directives = append(def.Directives, &ast.Directive{Name: directive, Arguments: append(arguments, more...)})
	}
	isEntry := func(k *key) bool { return k.index != "" }
	items := slices.DeleteFunc(slices.Clone(all), isEntry)
	for i, k := range items {
		var more []*ast.Argument
		if size := p.types[name].MaxBytes; size > 0 && i == 0 {
			more = append(more, argument("maxBytes", ast.IntValue, fmt.Sprint(size)))
		}
		add([]string{"item", "copy"}[min(i, 1)], k, more...)
		for _, e := range all {
			if !isEntry(e) || e.item != i {
				continue
			}
			more = nil
			if e.shards > 0 {
				more = append(more, argument("shards", ast.IntValue, fmt.Sprint(e.shards)))
			}
			add("index", e, more...)
		}
	}
}

// read returns the directive of a field.
func (p *placer) read(n *need) *ast.Directive {
	k := p.served[n]
	pk := argument("pk", ast.StringValue, p.template(n.of, k.pk, false, n.source))
	isGet := k.path == nil || !slices.Contains(k.path.needs, n)
	if isGet {
		return &ast.Directive{Name: "get", Arguments: ast.ArgumentList{
			pk, argument("sk", ast.StringValue, p.template(n.of, k.sk, true, n.source)),
		}}
	}
	d := &ast.Directive{Name: "query"}
	if k.index != "" {
		d.Arguments = append(d.Arguments, argument("index", ast.StringValue, k.index))
	}
	d.Arguments = append(d.Arguments, pk)
	if sk := p.sortPrefix(n, k); sk != "" {
		d.Arguments = append(d.Arguments, argument("sk", ast.StringValue, sk))
	}
	if n.Order != "" {
		d.Arguments = append(d.Arguments, argument("order", ast.EnumValue, n.Order))
	}
	if n.AtMost > 0 && n.result != one {
		d.Arguments = append(d.Arguments, argument("atMost", ast.IntValue, fmt.Sprint(n.AtMost)))
	}
	for _, a := range n.before {
		if d.Arguments.ForName(a.Name) == nil && a.Name != "order" && a.Name != "atMost" {
			d.Arguments = append(d.Arguments, a)
		}
	}
	return d
}

func argument(name string, kind ast.ValueKind, raw string) *ast.Argument {
	return &ast.Argument{Name: name, Value: &ast.Value{Kind: kind, Raw: raw}}
}
