package loaders

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// maxLoggedDamage is how many damaged items and attributes that cannot be read are logged for one operation.
const maxLoggedDamage = 25

// damage are the damaged items that an operation has read, and the attributes of others that it could not read.
type damage struct {
	mu    sync.Mutex
	known map[damaged]bool
}

// damaged is an item, or the attribute of a field of one.
type damaged struct {
	key   keys.Key
	field string
}

// add adds one. It returns how many there are with it, or 0 if it is not new.
func (d *damage) add(one damaged) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known[one] {
		return 0
	}
	if d.known == nil {
		d.known = map[damaged]bool{}
	}
	d.known[one] = true
	return len(d.known)
}

// unreadable are the attributes that an operation could not read.
type unreadable struct {
	// is is set once one has been found: the fields of an operation without any are not checked again.
	is atomic.Bool
	mu sync.Mutex
	// models are those whose fields could not all be filled.
	models map[any]*item.Unreadable
}

func (u *unreadable) add(some *item.UnreadableError) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.models == nil {
		u.models = map[any]*item.Unreadable{}
	}
	for i := range some.Models {
		u.models[some.Models[i].Model] = &some.Models[i]
	}
}

// of returns what could not be read of the model that gqlgen has for an object; nil if all of it could.
func (u *unreadable) of(object any) *item.Unreadable {
	// gqlgen has a pointer to an element of a list, and an interface for an abstract type.
	v := reflect.ValueOf(object)
	for v.Kind() == reflect.Pointer && (v.Elem().Kind() == reflect.Pointer || v.Elem().Kind() == reflect.Interface) {
		if v = v.Elem(); v.Kind() == reflect.Interface {
			v = v.Elem()
		}
	}
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.models[v.Interface()]
}
