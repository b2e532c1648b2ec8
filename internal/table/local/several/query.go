package several

import (
	"regexp"
	"slices"
	"strings"
)

// condition matches the first condition of a KeyConditionExpression.
var condition = regexp.MustCompile(`^\s*(?:` +
	`(begins_with)\s*\(\s*([^\s,]+)\s*,\s*([^\s)]+)\s*\)|` +
	`([^\s=<>]+)\s*(=|<=|>=)\s*(\S+)|` +
	`(\S+)\s+((?i:BETWEEN))\s+(\S+)\s+(?i:AND)\s+(\S+)` +
	`)\s*(?:(?i:AND)\s|$)`)

// compared is a condition on one attribute.
type compared struct {
	operator string
	from, to object
}

// conditions returns the conditions of a Query by their attributes.
func conditions(r object) (map[string]compared, error) {
	names, _ := r["ExpressionAttributeNames"].(object)
	values, _ := r["ExpressionAttributeValues"].(object)
	value := func(placeholder string) object {
		v, _ := values[placeholder].(object)
		return v
	}
	all := map[string]compared{}
	rest := text(r["KeyConditionExpression"])
	for rest != "" {
		m := condition.FindStringSubmatch(rest)
		if m == nil {
			return nil, invalid("Invalid KeyConditionExpression: " + rest)
		}
		rest = rest[len(m[0]):]
		name, c := m[2]+m[4]+m[7], compared{
			operator: m[1] + m[5] + strings.ToUpper(m[8]), from: value(m[3] + m[6] + m[9]), to: value(m[10]),
		}
		if strings.HasPrefix(name, "#") {
			name = text(names[name])
		}
		if _, twice := all[name]; twice {
			return nil, invalid("KeyConditionExpressions must only contain one condition per key")
		}
		all[name] = c
	}
	return all, nil
}

// The placeholders of the engine's condition are not those that a caller has in other expressions.
const (
	pkName, pkValue            = "#severalPK", ":severalPK"
	skName, fromValue, toValue = "#severalSK", ":severalFrom", ":severalTo"

	between = " AND " + skName + " BETWEEN " + fromValue + " AND " + toValue
)

const errOtherType = invalid("Condition parameter type does not match schema type")

// query translates a Query of an index.
func query(ix index, r object) error {
	if !ix.pk.isSeveral() && !ix.sk.isSeveral() {
		return nil
	}
	all, err := conditions(r)
	if err != nil {
		return err
	}
	names, values := object{pkName: ix.pk.hidden}, object{}
	var pk []object
	for _, a := range ix.pk.KeyAttributes {
		c, given := all[a.Name]
		if !given || c.operator != "=" {
			return invalid("Query condition missed key schema element: " + a.Name)
		}
		pk = append(pk, c.from)
		delete(all, a.Name)
	}
	values[pkValue] = pk[0]
	if ix.pk.isSeveral() {
		text := ix.pk.text(pk)
		if text == "" {
			return errOtherType
		}
		values[pkValue] = object{"S": text}
	}
	expression := pkName + " = " + pkValue
	if ix.sk.isSeveral() {
		from, to, err := sortRange(ix.sk, all)
		if err != nil {
			return err
		}
		if from != "" {
			expression += between
			names[skName], values[fromValue], values[toValue] = ix.sk.hidden, object{"S": from}, object{"S": to}
		}
	} else if c, given := all[ix.sk.hidden]; given {
		delete(all, ix.sk.hidden)
		names[skName], values[fromValue] = ix.sk.hidden, c.from
		switch c.operator {
		case "BETWEEN":
			expression += between
			values[toValue] = c.to
		case "begins_with":
			expression += " AND begins_with(" + skName + ", " + fromValue + ")"
		default:
			expression += " AND " + skName + " " + c.operator + " " + fromValue
		}
	}
	for name := range all {
		return invalid("Query key condition not supported: the condition on " + name +
			" is not on a key attribute, or one before it has none or a range")
	}
	others := text(r["ProjectionExpression"]) + " " + text(r["FilterExpression"])
	keep(names, r["ExpressionAttributeNames"], others)
	keep(values, r["ExpressionAttributeValues"], others)
	r["KeyConditionExpression"], r["ExpressionAttributeNames"], r["ExpressionAttributeValues"] = expression, names, values
	return nil
}

// highest is above all texts, lowest below them. separator is what joins the texts of attributes.
const (
	highest   = "\U0010FFFF"
	lowest    = " "
	separator = "\x01"
)

// sortRange returns the bounds of a sort key of several attributes in the engine, "" without a condition. It removes
// the conditions that it has used.
func sortRange(k key, all map[string]compared) (from, to string, err error) {
	var equal []object
	for len(equal) < len(k.KeyAttributes) {
		name := k.KeyAttributes[len(equal)].Name
		c, given := all[name]
		if !given || c.operator != "=" {
			break
		}
		equal = append(equal, c.from)
		delete(all, name)
	}
	n := len(equal)
	prefix := k.text(equal)
	if n > 0 && prefix == "" {
		return "", "", errOtherType
	}
	if n == len(k.KeyAttributes) {
		return prefix, prefix, nil
	}
	if n > 0 {
		prefix += separator
	}
	a := k.KeyAttributes[n]
	c, given := all[a.Name]
	delete(all, a.Name)
	if !given && n == 0 {
		return "", "", nil
	}
	from, to = max(prefix, lowest), prefix+highest
	value := func(v object) string { return k.text(append(equal[:n:n], v)) }
	if given && value(c.from) == "" || c.operator == "BETWEEN" && value(c.to) == "" {
		return "", "", errOtherType
	}
	rest := ""
	if n < len(k.KeyAttributes)-1 {
		rest = separator + highest
	}
	switch c.operator {
	case "BETWEEN":
		from, to = value(c.from), value(c.to)+rest
	case ">=":
		from = value(c.from)
	case "<=":
		to = value(c.from) + rest
	case "begins_with":
		if from, to = value(c.from), value(c.from)+highest; a.Number {
			return "", "", invalid("begins_with needs a String")
		}
	}
	return from, to, nil
}

// keep copies the placeholders that other expressions use.
func keep(to object, from any, expressions string) {
	placeholders, _ := from.(object)
	for name, v := range placeholders {
		if regexp.MustCompile(regexp.QuoteMeta(name) + `\b`).MatchString(expressions) {
			to[name] = v
		}
	}
}

// start translates an ExclusiveStartKey. Attributes of the table's own key are still part of it.
func start(t *table, ix index, r object) {
	at, is := r["ExclusiveStartKey"].(object)
	if !is {
		return
	}
	add([]index{ix}, at)
	for _, k := range [...]key{ix.pk, ix.sk} {
		for _, a := range k.KeyAttributes {
			if a.Name != ix.pk.hidden && a.Name != ix.sk.hidden && !slices.Contains(t.keys, a.Name) {
				delete(at, a.Name)
			}
		}
	}
}
