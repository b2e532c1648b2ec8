package rest

import (
	"errors"
	"fmt"
	"maps"
)

// write is a PutItem or an UpdateItem, or as much of a transaction.
type write struct {
	key key
	// item are the attributes of a PutItem beside the key; nil for an UpdateItem.
	item values
	// update and condition are expressions with names #name and values :name.
	update, condition string
	values            values
}

// values are attribute values by name: a string, an int or an amount of money.
type values map[string]any

// with returns the values with some more.
func (v values) with(more values) values {
	all := maps.Clone(v)
	maps.Copy(all, more)
	return all
}

var (
	// errCondition is returned if a condition of a write does not hold.
	errCondition = errors.New("the object is not as you know it")
	errInput     = errors.New("the input is not valid")
)

const (
	absent  = "attribute_not_exists(PK)"
	present = "attribute_exists(PK)"
)

// names returns the names that expressions contain, as #name.
func names(expressions ...string) map[string]string {
	found := map[string]string{}
	for _, e := range expressions {
		for i := range e {
			if e[i] != '#' {
				continue
			}
			end := i + 1
			for end < len(e) && (e[end] >= 'a' && e[end] <= 'z' || e[end] >= 'A' && e[end] <= 'Z') {
				end++
			}
			found[e[i:end]] = e[i+1 : end]
		}
	}
	return found
}

// add returns the update that adds a number to a counter.
func add(k key, counter string, n int) write {
	return write{key: k, update: "ADD #" + counter + " :n", condition: present, values: values{":n": n}}
}

// create returns puts of the items in which a new object is stored, by their keys.
func create(attributes values, keys ...key) []write {
	var all []write
	for _, k := range keys {
		all = append(all, write{key: k, item: attributes, condition: absent})
	}
	return all
}

// shardOf returns the shard of an order in the index.
func shardOf(id string) int { return int(id[len(id)-1]) % statusShards }

func statusKey(status, id string) string { return fmt.Sprint("STATUS#", status, "#", shardOf(id)) }
