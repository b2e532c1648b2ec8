package several

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// translate changes a request to what the engine gets. The caller calls unlock when there is a response.
func (c *call) translate(r object) (unlock func(), err error) {
	unlock = func() {}
	name := text(r["TableName"])
	switch c.operation {
	case "CreateTable":
		ToEngine(r)
		c.forget(name)
	case "UpdateTable", "DeleteTable":
		c.forget(name)
	case "Query", "Scan":
		t, err := c.table(name)
		if err != nil {
			return unlock, err
		}
		ix, is := t.index(text(r["IndexName"]))
		if !is {
			return unlock, nil
		}
		start(t, ix, r)
		if c.operation == "Query" {
			return unlock, query(ix, r)
		}
	case "BatchWriteItem":
		c.writing.RLock()
		tables, _ := r["RequestItems"].(object)
		for name, requests := range tables {
			for _, w := range objects(requests) {
				put, _ := w["PutRequest"].(object)
				if err := c.put(name, put); err != nil {
					return c.writing.RUnlock, err
				}
			}
		}
		return c.writing.RUnlock, nil
	case "PutItem":
		c.writing.RLock()
		return c.writing.RUnlock, c.put(name, r)
	case "DeleteItem":
		c.writing.RLock()
		return c.writing.RUnlock, nil
	case "UpdateItem":
		c.writing.Lock()
		return c.writing.Unlock, c.update(r)
	case "TransactWriteItems":
		c.writing.Lock()
		for _, action := range objects(r["TransactItems"]) {
			put, _ := action["Put"].(object)
			if err := c.put(text(put["TableName"]), put); err != nil {
				return c.writing.Unlock, err
			}
			if update, is := action["Update"].(object); is {
				if err := c.update(update); err != nil {
					return c.writing.Unlock, err
				}
			}
		}
		return c.writing.Unlock, nil
	}
	return unlock, nil
}

// put adds to the Item of a request what is only in the engine.
func (c *call) put(tableName string, r object) error {
	it, is := r["Item"].(object)
	if !is {
		return nil
	}
	t, err := c.table(tableName)
	if err != nil {
		return err
	}
	add(t.indexes, it)
	return nil
}

var (
	clauses  = regexp.MustCompile(`(?i)(?:^|\s)(SET|REMOVE|ADD|DELETE)\s`)
	assigned = regexp.MustCompile(`^\s*(\S+)\s*=\s*(:\S+)\s*$`)
)

// update adds to an update of attributes in the key of an index what is only in the engine.
func (c *call) update(r object) error {
	t, err := c.table(text(r["TableName"]))
	if err != nil {
		return err
	}
	names, _ := r["ExpressionAttributeNames"].(object)
	values, _ := r["ExpressionAttributeValues"].(object)
	set, removed, others := parseUpdate(text(r["UpdateExpression"]), names)
	var all []key
	changed := false
	for _, ix := range t.indexes {
		for _, k := range [...]key{ix.pk, ix.sk} {
			if !k.isSeveral() {
				continue
			}
			all = append(all, k)
			for _, a := range k.KeyAttributes {
				_, isSet := set[a.Name]
				changed = changed || isSet || removed[a.Name]
				if others[a.Name] {
					return invalid("the local engine cannot compute " + a.Name + ", one of several key attributes of an index")
				}
			}
		}
	}
	if !changed {
		return nil
	}
	it, err := c.read(r)
	if err != nil {
		return err
	}
	for name, placeholder := range set {
		it[name] = values[placeholder]
	}
	for name := range removed {
		delete(it, name)
	}
	add(t.indexes, it)
	if values == nil {
		values = object{}
		r["ExpressionAttributeValues"] = values
	}
	if names == nil {
		names = object{}
		r["ExpressionAttributeNames"] = names
	}
	expression := map[string][]string{}
	for i, k := range all {
		placeholder := "several" + strconv.Itoa(i)
		names["#"+placeholder] = k.hidden
		if v, has := it[k.hidden]; has {
			values[":"+placeholder] = v
			expression["SET"] = append(expression["SET"], "#"+placeholder+" = :"+placeholder)
		} else {
			expression["REMOVE"] = append(expression["REMOVE"], "#"+placeholder)
		}
	}
	r["UpdateExpression"] = withClauses(text(r["UpdateExpression"]), expression)
	if len(values) == 0 {
		delete(r, "ExpressionAttributeValues")
	}
	return nil
}

// read returns the item of an update, empty if the table does not have it.
func (c *call) read(r object) (object, error) {
	body, err := json.Marshal(object{"TableName": r["TableName"], "Key": r["Key"], "ConsistentRead": true})
	if err != nil {
		return nil, err
	}
	status, response, err := c.send("GetItem", body)
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, rejected{status, response}
	}
	var out struct{ Item object }
	if err := json.Unmarshal(response, &out); err != nil {
		return nil, err
	}
	if out.Item == nil {
		key, _ := r["Key"].(object)
		out.Item = maps.Clone(key)
	}
	return out.Item, nil
}

// parseUpdate returns the attributes that an UpdateExpression sets to the value of a placeholder, those that it
// removes, and those that it changes otherwise.
func parseUpdate(expression string, names object) (set map[string]string, removed, others map[string]bool) {
	set, removed, others = map[string]string{}, map[string]bool{}, map[string]bool{}
	resolve := func(name string) string {
		name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
		if strings.HasPrefix(name, "#") {
			return text(names[name])
		}
		return name
	}
	at := clauses.FindAllStringSubmatchIndex(expression, -1)
	for i, m := range at {
		end := len(expression)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		for part := range strings.SplitSeq(expression[m[1]:end], ",") {
			switch assignment := assigned.FindStringSubmatch(part); {
			case strings.EqualFold(expression[m[2]:m[3]], "REMOVE"):
				removed[resolve(part)] = true
			case assignment != nil:
				set[resolve(assignment[1])] = assignment[2]
			default:
				others[resolve(part)] = true
			}
		}
	}
	return set, removed, others
}

// withClauses adds parts to the clauses of an UpdateExpression.
func withClauses(expression string, parts map[string][]string) string {
	for clause, all := range parts {
		added := strings.Join(all, ", ")
		if at := regexp.MustCompile(`(?i)(?:^|\s)` + clause + `\s`).FindStringIndex(expression); at != nil {
			expression = expression[:at[1]] + added + ", " + expression[at[1]:]
		} else {
			expression += " " + clause + " " + added
		}
	}
	return strings.TrimSpace(expression)
}
