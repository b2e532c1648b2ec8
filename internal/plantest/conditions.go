package plantest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/tabletest"
)

// CheckWrites reports what was sent and is none of the writes of a plan, or of a measured run: another action, another
// key, or another condition. Several writes on one item may be sent as one.
func CheckWrites(tb testing.TB, of []price.ExplainedWrite, sent []tabletest.Write) {
	tb.Helper()
	for _, s := range sent {
		isSame := func(w price.ExplainedWrite) bool { return isSentAs(w, s) }
		if !slices.ContainsFunc(of, isSame) && !isMerged(of, s) {
			tb.Errorf("%s %s if %s\nis none of\n%s", s.Action, s.Key, s.Condition, describe(of))
		}
	}
}

// CheckAllSent reports the writes for which nothing was sent.
func CheckAllSent(tb testing.TB, of []price.ExplainedWrite, sent []tabletest.Write) {
	tb.Helper()
	for _, w := range of {
		if !slices.ContainsFunc(sent, func(s tabletest.Write) bool { return isSentAs(w, s) }) {
			tb.Errorf("%sis not among\n%+v", describe([]price.ExplainedWrite{w}), sent)
		}
	}
}

func describe(all []price.ExplainedWrite) string {
	var b strings.Builder
	for _, w := range all {
		fmt.Fprintf(&b, "%s %s if %s\n", w.Action, w.Key, strings.Join(w.Conditions, " AND "))
	}
	return b.String()
}

// keyText matches the names of the key attributes in the text of a key.
var keyText = regexp.MustCompile(`(^|, )\w+ = `)

func isSentAs(w price.ExplainedWrite, s tabletest.Write) bool {
	planned, sent := parts(strings.Join(w.Conditions, " AND ")), parts(s.Condition)
	isPlanned := func(part string) bool { return isAny(planned, part) }
	isSent := func(part string) bool {
		return slices.ContainsFunc(sent, func(sent string) bool { return isAny([]string{part}, sent) })
	}
	return isAction(w, s) && isAt(w, s) && all(sent, isPlanned) && all(planned, isSent)
}

// isMerged reports whether an action has the conditions of several writes on its item.
func isMerged(of []price.ExplainedWrite, s tabletest.Write) bool {
	var planned []string
	isOne := false
	for _, w := range of {
		if isAt(w, s) {
			planned = append(planned, parts(strings.Join(w.Conditions, " AND "))...)
			isOne = isOne || isAction(w, s)
		}
	}
	return isOne && all(parts(s.Condition), func(part string) bool { return isAny(planned, part) })
}

// isAction reports whether the actions are the same. An update that changes nothing is sent as a check.
func isAction(w price.ExplainedWrite, s tabletest.Write) bool {
	return w.Action == s.Action || w.Action == "Update" && s.Action == "Check"
}

func isAt(w price.ExplainedWrite, s tabletest.Write) bool {
	key := strings.TrimSpace(keyText.ReplaceAllString(w.Key, " "))
	return w.Key == "" || matcher(key, `.+`).MatchString(s.Key)
}

func isAny(planned []string, sent string) bool {
	return slices.ContainsFunc(planned, func(part string) bool { return matcher(part, value).MatchString(sent) })
}

func all(parts []string, is func(string) bool) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !is(part) })
}

// unset matches the condition that an attribute has no value: a value that is read may be none.
var unset = regexp.MustCompile(`\(attribute_not_exists\((\w+)\) OR attribute_type\(\w+, "NULL"\)\)`)

// orUnset and orInKey match a comparison that holds for an item without the attribute as well: it depends on a value.
var (
	orUnset = regexp.MustCompile(`^\(\w+ = "unset" OR (.*)\)$`)
	orInKey = regexp.MustCompile(`^\((\w+ = .*) OR attribute_not_exists\(\w+\)\)$`)
)

// parts returns the conditions that are joined by AND, without that an item exists: it is there for others.
func parts(condition string) []string {
	condition = unset.ReplaceAllString(condition, `$1 = "unset"`)
	var all []string
	depth, begin := 0, 0
	for i, c := range condition {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && strings.HasPrefix(condition[i:], " AND "):
			all = append(all, condition[begin:i])
			begin = i + len(" AND ")
		}
	}
	all = append(all, condition[begin:])
	for i, part := range all {
		all[i] = orInKey.ReplaceAllString(orUnset.ReplaceAllString(part, "$1"), "$1")
	}
	return slices.DeleteFunc(all, func(part string) bool {
		return part == "" || strings.HasPrefix(part, "attribute_exists(")
	})
}

// value matches a value in a condition.
const value = `(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false)`

var variable = regexp.MustCompile(`\{[^}]*\}`)

// matcher returns what matches a text with anything that a pattern matches in place of {names}.
func matcher(text, pattern string) *regexp.Regexp {
	var b strings.Builder
	end := 0
	for _, at := range variable.FindAllStringIndex(text, -1) {
		b.WriteString(regexp.QuoteMeta(text[end:at[0]]) + pattern)
		end = at[1]
	}
	return regexp.MustCompile("^" + b.String() + regexp.QuoteMeta(text[end:]) + "$")
}
