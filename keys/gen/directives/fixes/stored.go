package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// whereStored returns the fix that lets a read that selects nothing read a key under which its objects are stored, ""
// if it does not have the values of one. In a new table, the key must resemble that of the read: another one may be
// meant. Those in use are stored as somebody wants them, others may be what is wrong: see asRead.
func (r *checker) whereStored(rd *read, isUsed bool) string {
	for _, k := range r.storedKeys() {
		if k.index != rd.Index || !slices.Contains(r.targets(rd), k.of) || isUsed && !r.isUsed(k) && k.index != "" {
			continue
		}
		pk, sk, ok := r.readTemplates(rd, k)
		if !ok || !r.wouldMatch(rd, pk, sk, rd.Index) {
			continue
		}
		if r.layout != nil || differences(rd.PK.String(), pk, rd.PK.Delimiter())+
			differences(rd.SK.String(), sk, rd.PK.Delimiter()) <= 1 {
			return writeTemplates(rd, pk, sk)
		}
	}
	return ""
}

// writeTemplates returns the fix that gives a read other templates.
func writeTemplates(rd *read, pk, sk string) string {
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
func (r *checker) readTemplates(rd *read, k *storedKey) (pk, sk string, ok bool) {
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
		value, has := r.valueFor(rd, k.of, s.Variable)
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
	pk = rewrite(k.PK, name)
	if rd.Kind == keys.Get {
		sk = rewrite(k.SK, name)
		return pk, sk, ok
	}
	if sk = rd.SK.String(); !ok || r.wouldMatch(rd, pk, sk, rd.Index) {
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

// asRead returns the fix that changes a copy, or an entry in an index, which no field reads, to the key that a read
// selects, "" if none resembles it. What an existing table has is not changed.
func (r *checker) asRead(rd *read) (k *storedKey, fix string) {
	if r.layout != nil || rd.EdgeNode {
		return nil, ""
	}
	for _, k := range r.storedKeys() {
		if k.index != rd.Index || !r.mayReturn(rd, k.of) || k.directive == nil || k.directive.Name == "item" ||
			r.isUsed(k) {
			continue
		}
		named := true
		pk := rewrite(rd.PK, func(s keys.Segment) keys.Segment {
			if s.Variable != "" {
				name, ok := r.counterpart(rd, k.of, s.Variable)
				s.Variable, named = name, named && ok
			}
			return s
		})
		parsed, err := r.parse(pk)
		if !named || err != nil || differences(k.PK.String(), pk, rd.PK.Delimiter()) != 1 {
			continue
		}
		if _, ok := adopt(rd.SK, k.SK, true); !ok && rd.SK.String() != "" || len(k.of.unidentified(
			keys.Shape{PK: parsed, SK: k.SK})) > 0 && k.index == "" {
			continue
		}
		return k, fmt.Sprintf("on type %s replace %s\nwith %s", k.of.Name, k.source(),
			directiveText(withTemplate(k.directive, "pk", pk)))
	}
	return nil, ""
}

// isUsed reports whether a read selects a stored key.
func (r *checker) isUsed(k *storedKey) bool {
	return slices.ContainsFunc(r.reads, func(rd *read) bool { return rd.Index == k.index && rd.isMatch(k) })
}

// differences returns in how many parts two templates differ: another one, or one more or less. The names of variables
// make no difference.
func differences(a, b, delimiter string) int {
	x, y := strings.Split(braced.ReplaceAllString(a, "{}"), delimiter), strings.Split(braced.ReplaceAllString(b, "{}"),
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

// copyShape returns the key of a copy of the objects of a type for an index entry, beside the item.
func (r *checker) copyShape(t *storedType, by string) keys.Shape {
	if r.names().HasSortKey() {
		return keys.Shape{PK: t.Item.PK, SK: keys.MustDelimited(r.names().Delimiter, by)}
	}
	return keys.Shape{PK: keys.MustDelimited(r.names().Delimiter, r.join(by, t.Item.PK.String()))}
}

// shardsIn returns the shards that are proposed for an index: 1 if its sort key follows from other attributes, so that
// it need not identify the object.
func (r *checker) shardsIn(t *storedType, index string) int {
	if r.layout != nil {
		if _, isDerived := r.derivedKey(t, t.Item, r.layout.Index(index).SK); isDerived {
			return 1
		}
	}
	return proposedShards
}
