package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// checkMembers finds members whose items are not stored, or whose keys do not follow from the viewer and the object.
func checkMembers(r *checker) {
	for i, m := range r.Members {
		switch {
		case m.On != nil && m.On.Directives.ForName("step") != nil:
			words := slices.DeleteFunc(wordsOf(m.Directive), func(word string) bool { return word == m.Word })
			if len(words) == 0 {
				words = []string{reading.AllowViewer}
			}
			r.find(m.Directive.Position, m.Coordinate(), "in an action, a membership is a step: "+
				"@step(check:), with the key of the member and the condition",
				fmt.Sprintf("write to: %s\nremove member from @allow", sdl.QuotedList(words)))
		case m.Err != nil:
			findMember(r, m, m.Err.Error(), memberEdit{pk: fixes.Delimited(r.Design, m.PKText),
				sk: fixes.Delimited(r.Design, m.SKText)})
		case !checkMemberWord(r, m, r.Members[:i]):
		case m.PKText == "":
			findMember(r, m, "the key of a member needs pk", memberEdit{pk: likelyPartitionKey(r, m)})
		case m.SKText == "" && r.Names().HasSortKey():
			findMember(r, m, "the key of a member needs sk", memberEdit{sk: likelySortKey(r, m)})
		case !slices.Contains(memberVariables(m), keys.ViewerVariable):
			findMember(r, m, "the key of a member must have {viewer}: the item is the viewer's own", ownedBy(r, m))
		case len(m.Matches) == 0:
			findUnstored(r, m)
		case checkMemberSources(r, m):
			checkWhere(r, m)
		}
	}
}

func memberVariables(m *reading.Member) []string {
	return append(m.PK.Variables(), m.SK.Variables()...)
}

// memberEdit is what a fix changes of a member. drops removes it.
type memberEdit struct {
	pk, sk, word, where string
	noWhere, drops      bool
}

// findMember adds a finding whose fix changes one of the members of a rule.
func findMember(r *checker, m *reading.Member, what string, e memberEdit) {
	if m.Word != reading.AllowMember { // Another member of the rule may have the same fault.
		what = fmt.Sprintf("member %s: %s", m.Word, what)
	}
	fix := membersFix(r, m, e)
	if e.noWhere {
		fix += ", or correct the condition: without it, each such item allows"
	}
	r.find(m.Directive.Position, m.Coordinate(), what, fix)
}

// membersFix returns the fix that writes the members of a rule with a change of one.
func membersFix(r *checker, changed *reading.Member, e memberEdit) string {
	var all []string
	for _, m := range r.Members {
		if m.Directive != changed.Directive || m == changed && e.drops {
			continue
		}
		pk, sk, word, where := m.PKText, m.SKText, m.Word, m.Where
		if m == changed {
			pk, sk, word, where = cmp.Or(e.pk, pk), cmp.Or(e.sk, sk), cmp.Or(e.word, word), cmp.Or(e.where, where)
			if e.noWhere {
				where = ""
			}
		}
		text := ""
		if word != reading.AllowMember {
			text = fmt.Sprintf("as: %q, ", word)
		}
		text += sdl.KeyArguments(pk, sk)
		if where != "" {
			text += fmt.Sprintf(", where: %q", where)
		}
		all = append(all, "{"+text+"}")
	}
	if len(all) == 1 {
		return "write member: " + all[0]
	}
	return "write member: [" + strings.Join(all, ", ") + "]"
}

// checkMemberWord finds a word that two members have, or that cannot be a word. It reports whether the word is right.
func checkMemberWord(r *checker, m *reading.Member, before []*reading.Member) bool {
	isSame := func(o *reading.Member) bool { return o.Directive == m.Directive && o.Word == m.Word }
	switch {
	case slices.ContainsFunc(before, isSame):
		findMember(r, m, fmt.Sprintf("two members have the word %s", m.Word), memberEdit{drops: true})
	case !reading.IsRole(m.Word), m.Word == reading.AllowOwner, m.Word == reading.AllowViewer, m.Word == "PUBLIC":
		word := reading.AllowMember
		isTaken := func(o *reading.Member) bool { return o.Directive == m.Directive && o.Word == word }
		for slices.ContainsFunc(r.Members, isTaken) {
			word += "_OTHER"
		}
		to := "write to: " + sdl.QuotedList(append(wordsOf(m.Directive), word)) + ", "
		what := fmt.Sprintf("as: %q is not a word of its own in capital letters", m.Word)
		r.find(m.Directive.Position, m.Coordinate(), what,
			strings.Replace(membersFix(r, m, memberEdit{word: word}), "write ", to, 1))
	default:
		return true
	}
	return false
}

// wordsOf returns the words of an @allow.
func wordsOf(d *ast.Directive) []string {
	var words []string
	for _, word := range sdl.List(d, "to") {
		text, _ := word.(string)
		words = append(words, text)
	}
	return words
}

// findUnstored adds the finding for a member whose key nothing is stored under.
func findUnstored(r *checker, m *reading.Member) {
	what := fmt.Sprintf("no item is stored under pk %q, sk %q", m.PKText, m.SKText)
	for _, t := range r.SortedTypes() {
		for _, k := range t.StoredKeys {
			if k.Index != "" {
				continue
			}
			if e, isLikely := likelyKey(m, k); isLikely {
				findMember(r, m, finding.IsLikely(t.Name, what), e)
				return
			}
		}
	}
	name := "Member"
	for r.Schema.Types[name] != nil {
		name = m.Of.Name + name
	}
	var fields []string
	rename := func(variable string) string {
		if variable == keys.ViewerVariable {
			return "userId"
		}
		return variable
	}
	pk, sk := m.PK.Renamed(rename), m.SK.Renamed(rename)
	for _, variable := range append(pk.Variables(), sk.Variables()...) {
		field := variable + ": " + typeOfSource(m, variable) + "!"
		if !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	r.find(m.Directive.Position, m.Coordinate(), what, fmt.Sprintf("add type %s @item(%s) { %s }",
		name, sdl.KeyArguments(pk.String(), sk.String()), strings.Join(fields, " ")))
}

func typeOfSource(m *reading.Member, variable string) string {
	argument, attribute := m.Source(variable)
	switch {
	case argument != nil:
		return argument.Type.Name()
	case attribute != nil:
		return m.ParentType.Def.Fields.ForName(variable).Type.Name()
	}
	return "ID"
}

// checkMemberSources finds variables that neither the read nor the object has. It reports whether there are none.
func checkMemberSources(r *checker, m *reading.Member) bool {
	for _, name := range memberVariables(m) {
		if name == keys.ViewerVariable {
			continue
		}
		argument, attribute := m.Source(name)
		rd := r.ReadBy(m.Of.Name, m.Name)
		switch {
		case argument != nil && m.On != nil && rd != nil && !slices.Contains(rd.Variables(), name):
			findMember(r, m, fmt.Sprintf("the argument %s is not part of the field's key", name), otherSource(r, m, name))
		case argument != nil && !argument.Type.NonNull:
			r.find(m.Directive.Position, m.Coordinate(), fmt.Sprintf("{%s} may be null, and nobody is a member then", name),
				fmt.Sprintf("on field %s replace %s: %s with %s: %s!", m.Coordinate(), name, argument.Type, name, argument.Type))
		case argument != nil:
			continue
		case attribute == nil:
			findMember(r, m, missingSource(m, name), otherSource(r, m, name))
		case !attribute.NonNull:
			field := m.ParentType.Def.Fields.ForName(name)
			r.find(m.Directive.Position, m.Coordinate(), fmt.Sprintf("{%s} may be null, and nobody is a member then", name),
				sdl.Retype(m.ParentType.Name, field, field.Type.String()+"!"))
		default:
			continue
		}
		return false
	}
	return true
}

func missingSource(m *reading.Member, name string) string {
	if likely := finding.Likely(name, memberSources(m)); likely != "" {
		return finding.IsLikely("{"+likely+"}", fmt.Sprintf("{%s} names no argument and no stored field", name))
	}
	return fmt.Sprintf("{%s} names no argument and no stored field of %s", name, m.Of.Name)
}

// memberSources returns the names that variables of a member may have.
func memberSources(m *reading.Member) []string {
	var names []string
	if m.On != nil {
		for _, a := range m.On.Arguments {
			if !sdl.IsPaging(a.Name) && a.Type.NonNull {
				names = append(names, a.Name)
			}
		}
	}
	if m.ParentType != nil {
		for _, a := range m.ParentType.Attributes {
			if a.NonNull && (a.Name != "id" || slices.Contains(m.ParentType.Identity, "id")) {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

// otherSource returns the change that writes another variable in place of one, or else that removes the member.
func otherSource(_ *checker, m *reading.Member, name string) memberEdit {
	sources := slices.DeleteFunc(memberSources(m), func(other string) bool { return other == name })
	by := finding.Likely(name, sources)
	if by == "" && len(sources) > 0 {
		by = sources[0]
	}
	if by == "" {
		by = keys.ViewerVariable
	}
	width := func(string) int { return 0 }
	return memberEdit{pk: fixes.Replaced(m.PK, name, by, width), sk: fixes.Replaced(m.SK, name, by, width)}
}

// checkWhere finds a predicate over fields or values that the item of a member does not have.
func checkWhere(r *checker, m *reading.Member) {
	if m.Where == "" {
		return
	}
	if what, better := whereFault(r, m.Where, r.Target(m)); what != "" {
		findMember(r, m, what, memberEdit{where: better, noWhere: better == ""})
	}
}

// checkMemberUse finds MEMBER without a member, and a member whom no list names.
func checkMemberUse(r *checker, d *ast.Directive, coordinate string, words []string, mutable []string) {
	members := reading.MemberWords(d)
	if slices.Contains(words, reading.AllowMember) && !slices.Contains(members, reading.AllowMember) {
		others := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == reading.AllowMember })
		if len(others) == 0 {
			others = []string{reading.AllowViewer}
		}
		r.find(d.Position, coordinate, "MEMBER without member: who is one is unknown",
			"write to: "+sdl.QuotedList(others)+`, or member: {pk: ..., sk: "...{viewer}"}`)
	}
	for _, word := range members {
		if !slices.Contains(words, word) && !slices.Contains(mutable, word) {
			r.find(d.Position, coordinate, fmt.Sprintf("member without %s: the members are not allowed", word),
				"write to: "+sdl.QuotedList(append(slices.Clone(words), word))+", or remove member")
			return
		}
	}
}

// mutableWords returns the words in the lists of a type's @mutable.
func mutableWords(def *ast.Definition) []string {
	var words []string
	for _, m := range reading.MutationsOf(def, nil) {
		words = append(words, m.To...)
	}
	return words
}
