package importer

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// templateOf returns the parts of keys whose texts are given by part and entry.
func templateOf(t *layout, g group, texts [][]string, n *naming) template {
	var parts template
	for i := range texts {
		prefix, texts := "", texts[i]
		if len(n.prefixes) > 0 {
			prefix = n.prefixes[i]
		}
		if prefix == texts[0] && prefix != "" {
			parts = append(parts, keys.Segment{Literal: prefix})
			n.literal = prefix
			continue
		}
		if prefix != "" {
			n.literal, texts = strings.TrimRight(prefix, signs), behind(prefix, texts)
		}
		isBehindLiteral := prefix != "" || i > 0 && parts[i-1].Variable == "" && parts[i-1].Literal != ""
		several := partsOf(t, g, texts, n, isBehindLiteral)
		if several[0].Literal = prefix + several[0].Literal; isWord(several[0].Literal) {
			n.literal = several[0].Literal
		}
		parts = append(parts, several...)
	}
	setLetters(t, g, texts, parts)
	return parts
}

// behind returns the texts without a prefix.
func behind(prefix string, texts []string) []string {
	rest := make([]string, len(texts))
	for i, text := range texts {
		rest[i] = text[len(prefix):]
	}
	return rest
}

// partsOf returns the literal or the variable that the texts are, or several variables with nothing that separates
// them. afterLiteral is set if a value is expected, because the part before is a literal alone: a word there, or
// one with a number, is a literal only if partition keys begin with it.
func partsOf(t *layout, g group, texts []string, n *naming, afterLiteral bool) template {
	if t.numbers[n.attribute] {
		return template{hiddenPart(t, g, texts, n)}
	}
	isOne := areEqual(texts)
	isValue := n.attribute == t.PK.String() && (len(g[0].pk) == 1 && t.values[texts[0]] || t.isValue(g))
	isLabel := t.partitions[texts[0]] && (isWord(texts[0]) || isNumbered(texts[0]))
	isLiteral := (isLabel || isWord(texts[0]) && !afterLiteral) && !isValue
	if isOne && (texts[0] == "" || isLiteral || isEntity(g, texts[0])) {
		return template{{Literal: texts[0]}}
	}
	p, ok := explain(t, g, texts, n)
	switch {
	case ok:
		if n.used != nil {
			n.used[p.Variable] = n.literal
		}
		if label, hidden := strings.CutPrefix(p.Variable, hiddenPrefix); hidden {
			p.Width, p.Case = n.hidden[label].width, keys.AsIs
		}
		return template{p}
	case isOne && isConstant(texts[0]) && isWord(texts[0]) && !isValue:
		return template{{Literal: texts[0]}}
	}
	if parts := severalOf(t, g, texts, n); parts != nil {
		return parts
	}
	return template{hiddenPart(t, g, texts, n)}
}

// explain returns the variable that all texts are the value of, by an attribute that nearly all entries have.
func explain(t *layout, g group, texts []string, n *naming) (keys.Segment, bool) {
	var best keys.Segment
	bestScore := 0
	for _, name := range candidates(t, g, n.attribute) {
		var having []string
		var values []item.Value
		for i, e := range g {
			if v, ok := e.value(name); ok {
				having, values = append(having, texts[i]), append(values, v)
			}
		}
		p, score := fit(name, having, values)
		if score == 0 || isUnfit(p, values) || isChance(t, name, having, n) || isOtherID(t, name, n) ||
			isOfOtherPart(g, name, n) {
			continue
		}
		score = score*1000 - len(name)
		if isIDName(name) {
			score += 50
		}
		if n.names(name) {
			score += 200
		}
		if t.isIndexKey(name) {
			score -= 100
		}
		if bestScore == 0 || score > bestScore {
			best, bestScore = p, score
		}
	}
	return best, bestScore != 0
}

// isUnfit reports whether numbers in a key cannot be those of a field: they are padded, but have more than 64 bits, or
// they are written with an exponent.
func isUnfit(p keys.Segment, values []item.Value) bool {
	return values[0].Kind == item.Number && p.Bucket == 0 &&
		slices.ContainsFunc(values, func(v item.Value) bool {
			isLong := p.Width > 0 && numberOf([]string{v.Text}).typ == "Float"
			return isLong || strings.ContainsAny(v.Text, "eE+")
		})
}
