package reading

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// readWritten reads what writes maintain in a type: its version, its times, and its unique values.
func (r *Source) readWritten(t *Type) {
	if f := sdl.VersionOf(t.Def); f != nil {
		t.Version = f.Name
	}
	for _, f := range t.Def.Fields {
		if now := f.Directives.ForName("now"); now != nil && t.Attribute(f.Name) != nil {
			if isUpdate, _ := sdl.Raw(now, "update").(bool); isUpdate {
				t.Updated = append(t.Updated, f.Name)
			} else {
				t.Created = append(t.Created, f.Name)
			}
		}
		d := f.Directives.ForName("unique")
		if d == nil {
			continue
		}
		key, sk, keyErr, skErr := r.ClaimTemplates(t.Def, f, d)
		if keyErr != nil || skErr != nil {
			continue
		}
		// A condition that cannot be read is found by the checks.
		where, _ := predicate.Parse(sdl.Text(d, "where"))
		t.Uniques = append(t.Uniques, design.Unique{
			Attribute: f.Name, Key: key, SK: sk, IgnoreCase: d.ArgumentMap(nil)["ignoreCase"] == true,
			Where: where, Claim: claimType(key), Holder: r.holder(t),
		})
	}
}

// ClaimKey returns the default template of the claims of a field.
func (r *Source) ClaimKey(def *ast.Definition, f *ast.FieldDefinition) string {
	return r.Join(sdl.ConstantCase(def.Name)+"_"+sdl.ConstantCase(f.Name), "{"+f.Name+"}")
}

// holder returns the attribute of the claims of a type with the raw id of their holder. It is no key of an index, in
// which a claim would be an entry, and no other attribute that the table needs.
func (r *Source) holder(t *Type) string {
	names := r.Names()
	reserved := append(slices.Concat(names.PK.Names(), names.SK.Names()), names.Type, t.ExpiryAttribute())
	for _, ix := range names.Indexes {
		reserved = append(append(reserved, ix.PK.Names()...), ix.SK.Names()...)
	}
	name := sdl.LowerFirst(t.Name) + "Id"
	for slices.Contains(reserved, name) {
		name += "Holder"
	}
	return name
}

// oneTableClaims begins the keys of the claims of OneTable, which all have one type.
const oneTableClaims = "_unique"

// claimType returns the value of the type attribute of claims: EmailClaim for EMAIL#{email}. It follows from the
// literals in front of the variable, which no other claims have.
func claimType(key keys.Template) string {
	if key.Segments()[0].Literal == oneTableClaims {
		return "_Unique"
	}
	var b strings.Builder
	for _, s := range key.Segments() {
		for word := range strings.FieldsFuncSeq(s.Literal, func(c rune) bool { return !isWord(c) }) {
			first, size := utf8.DecodeRuneInString(word)
			b.WriteRune(unicode.ToUpper(first))
			b.WriteString(strings.ToLower(word[size:]))
		}
	}
	return b.String() + "Claim"
}

// ClaimTemplates returns the key and the sort key of the claims of a field, and an error for each that cannot be one.
func (r *Source) ClaimTemplates(
	def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive,
) (key, sk keys.Template, keyErr, skErr error) {
	key, keyErr = r.Parse(cmp.Or(sdl.Text(d, "key"), r.ClaimKey(def, f)))
	if text := sdl.Text(d, "sk"); text != "" && keyErr == nil {
		if sk, skErr = r.Parse(text); skErr == nil && len(sk.Variables()) > 0 && sk.String() != key.String() {
			skErr = errors.New("the sort key of claims is a literal, or equal to key")
		}
	}
	return key, sk, keyErr, skErr
}
