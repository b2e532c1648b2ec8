package fixes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// whereStored returns the fix that lets a read that selects nothing read a key under which its objects are stored, ""
// if it does not have the values of one. In a new table, the key must resemble that of the read: another one may be
// meant. Those in use are stored as somebody wants them, others may be what is wrong: see asRead.
func whereStored(r *reading.Design, rd *reading.Read, isUsed bool) string {
	for _, k := range r.StoredKeys() {
		if k.Index != rd.Index || !slices.Contains(r.Targets(rd), k.Of) || isUsed && !r.IsUsed(k) && k.Index != "" {
			continue
		}
		pk, sk, ok := readTemplates(r, rd, k)
		if !ok || !r.WouldMatch(rd, pk, sk, rd.Index) {
			continue
		}
		if r.Layout != nil || differences(rd.PK.String(), pk, rd.PK.Delimiter())+
			differences(rd.SK.String(), sk, rd.PK.Delimiter()) <= 1 {
			return writeTemplates(rd, pk, sk)
		}
	}
	return ""
}

// writeTemplates returns the fix that gives a read other templates.
func writeTemplates(rd *reading.Read, pk, sk string) string {
	var parts []string
	if pk != rd.PK.String() {
		parts = append(parts, fmt.Sprintf("pk: %q", pk))
	}
	if sk != rd.SK.String() {
		parts = append(parts, fmt.Sprintf("sk: %q", sk))
	}
	return "write " + strings.Join(parts, ", ") + ", under which it is stored"
}

// readTemplates returns the templates with which a read selects a stored key; ok is false if it does not have the
// values that the key needs.
func readTemplates(r *reading.Design, rd *reading.Read, k *reading.Key) (pk, sk string, ok bool) {
	ok = true
	named, givenTo := map[string]string{}, map[string]string{}
	for _, pair := range [...][2]keys.Template{{k.PK, rd.PK}, {k.SK, rd.SK}} {
		for i, s := range pair[0].Segments() {
			of := pair[1].Segments()
			if i >= len(of) || of[i].Literal != s.Literal || (of[i].Variable == "") != (s.Variable == "") {
				break
			}
			if s.Variable != "" && named[s.Variable] == "" {
				named[s.Variable] = of[i].Variable
			}
		}
	}
	variables, own := append(k.PK.Variables(), k.SK.Variables()...), append(rd.PK.Variables(), rd.SK.Variables()...)
	for i, name := range variables {
		if len(variables) == len(own) && named[name] == "" {
			named[name] = own[i]
		}
	}
	name := func(s keys.Segment) keys.Segment {
		if s.Variable == "" {
			return s
		}
		value, has := r.ValueFor(rd, k.Of, s.Variable)
		if !has {
			value, has = named[s.Variable], named[s.Variable] != ""
		}
		if other := givenTo[value]; other != "" && other != s.Variable {
			has = false // One value in the place of two would select what has both by chance.
		}
		givenTo[value] = s.Variable
		s.Variable, ok = value, ok && has
		return s
	}
	pk = reading.Rewrite(k.PK, name)
	if rd.Kind == design.Get {
		sk = reading.Rewrite(k.SK, name)
		return pk, sk, ok
	}
	if sk = rd.SK.String(); !ok || r.WouldMatch(rd, pk, sk, rd.Index) {
		return pk, sk, ok
	}
	// The beginning of the stored key, through the last variable that the read has.
	var parts []string
	for i, s := range k.SK.Segments() {
		if s = name(s); s.Variable != "" && slices.Contains(rd.SK.Variables(), s.Variable) {
			parts = parts[:0]
			for _, s := range k.SK.Segments()[:i+1] {
				parts = append(parts, name(s).String())
			}
		}
	}
	if ok = true; len(parts) > 0 {
		return pk, strings.Join(parts, k.SK.Delimiter()), true
	}
	return pk, k.SK.Leading(), true
}

// AsRead returns the fix that changes a copy, or an entry in an index, which no field reads, to the key that a read
// selects, "" if none resembles it. What an existing table has is not changed.
func AsRead(r *reading.Design, rd *reading.Read) (k *reading.Key, fix string) {
	if r.Layout != nil || rd.EdgeNode {
		return nil, ""
	}
	for _, k := range r.StoredKeys() {
		if k.Index != rd.Index || !r.MayReturn(rd, k.Of) || k.Directive == nil || k.Directive.Name == "item" ||
			r.IsUsed(k) {
			continue
		}
		named := true
		pk := reading.Rewrite(rd.PK, func(s keys.Segment) keys.Segment {
			if s.Variable != "" {
				name, ok := counterpart(rd, k.Of, s.Variable)
				s.Variable, named = name, named && ok
			}
			return s
		})
		parsed, err := r.Parse(pk)
		if !named || err != nil || differences(k.PK.String(), pk, rd.PK.Delimiter()) != 1 {
			continue
		}
		if _, ok := adopt(rd.SK, k.SK, true); !ok && rd.SK.String() != "" || len(k.Of.Unidentified(
			keys.Shape{PK: parsed, SK: k.SK})) > 0 && k.Index == "" {
			continue
		}
		return k, fmt.Sprintf("on type %s replace %s\nwith %s", k.Of.Name, k.Source(),
			sdl.DirectiveText(sdl.WithTemplate(k.Directive, "pk", pk)))
	}
	return nil, ""
}

// differences returns in how many parts two templates differ: another one, or one more or less. The names of variables
// make no difference.
func differences(a, b, delimiter string) int {
	x, y := strings.Split(sdl.Braced.ReplaceAllString(a, "{}"), delimiter), strings.Split(sdl.Braced.ReplaceAllString(b,
		"{}"),
		delimiter)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			other := diagonal
			if x[i] != y[j] {
				other++
			}
			diagonal = row[j+1]
			row[j+1] = min(other, row[j]+1, diagonal+1)
		}
	}
	return row[len(y)]
}
