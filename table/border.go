package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// border translates between the items of the engine and those of the table, which have a tenant in their partition keys
// and, in an existing table, other names and formats. Everything that is written passes it.
type border struct {
	schema Schema
	tenant keys.Tenant
}

// stored returns the transaction with the keys and the token that it is sent with. The error is an InputError: a
// partition key has too many bytes with the tenant, or is reserved; or it is a bug: another table has such keys.
func (b border) stored(w write.Transaction) (write.Transaction, error) {
	layout := b.schema.Layout()
	for i := range w.Actions {
		if k := w.Actions[i].Key; !layout.IsWhole(k) {
			return w, fmt.Errorf(
				"table: bug: action %d of a transaction is on the key %q and %q; those of the table are %s", i,
				k.PK, k.SK, strings.Join(slices.Concat(layout.PK.Names(), layout.SK.Names()), ", "))
		}
		if layout.IsReservedPK(b.tenant.Add(w.Actions[i].Key.PK)) {
			return w, &keys.InputError{Message: "these values together are a key that is reserved: choose others"}
		}
	}
	if b.tenant == "" {
		return w, nil
	}
	if w.Token != "" && b.schema.hasOwnTokens(b.tenant) { // equal ones of two tenants belong to different transactions
		w.Token = uuid.NewSHA1(uuid.NameSpaceOID, []byte(string(b.tenant)+w.Token)).String()
	}
	w.Actions = slices.Clone(w.Actions)
	for i := range w.Actions {
		a := &w.Actions[i]
		if err := b.check(a); err != nil {
			return w, err
		}
		a.Key.PK = b.tenant.Add(a.Key.PK)
	}
	return w, nil
}

// check returns an InputError if a partition key that the action writes has too many bytes with the tenant.
func (b border) check(a *write.Action) error {
	if err := b.tenant.CheckPK(a.Key.PK); err != nil {
		return err
	}
	for _, attributes := range [...]item.Item{a.Item, a.Set} {
		for _, index := range b.schema.Indexes {
			if err := b.tenant.CheckPK(keys.PK(attributes.Text(keys.IndexPK(index)))); err != nil {
				return err
			}
		}
	}
	return nil
}

// put returns an item as it is stored.
func (b border) put(it item.Item) item.Item {
	return b.schema.ToTenant(b.tenant, b.schema.Design.ToStored(it))
}

// item returns a stored item as the engine has it.
func (b border) item(stored item.Item) item.Item {
	items := []item.Item{stored}
	b.schema.FromTenant(b.tenant, items)
	return b.schema.Design.FromStored(items[0])
}

// written returns the value of a stored attribute that is written.
func (b border) written(name string, v item.Value) item.Value {
	if b.tenant != "" && v.Kind == item.String && b.schema.names().isPartition(name) {
		v.Text = string(b.tenant.Add(keys.PK(v.Text)))
	}
	return v
}

// compared is written for a condition: the value may be one that was read and is not of the tenant.
func (b border) compared(name string, v item.Value) item.Value {
	if b.tenant != "" && v.Kind == item.String && b.schema.names().isPartition(name) {
		v.Text = string(b.tenant.Restore(keys.PK(v.Text)))
	}
	return v
}

// typeOf returns the type of a stored action's item; nil if the design does not have it.
func (b border) typeOf(a write.Action) *design.Type {
	if !b.schema.Design.Translates() {
		return nil
	}
	for _, name := range [...]string{a.Item.Type(), a.Type, a.After.Type(), typeIn(a.If)} {
		if typ := b.schema.Design.Type(name); typ != nil {
			return typ
		}
	}
	return b.schema.Design.TypeOf(keys.Key{PK: b.tenant.Cut(a.Key.PK), SK: a.Key.SK})
}

// typeIn returns the type that an item must have, "" if no condition says it.
func typeIn(conditions []write.Precondition) string {
	for _, c := range conditions {
		if c.Kind == write.PreconditionEquals && c.Name == item.EntityType {
			return c.Value.Text
		}
	}
	return ""
}

// ToTenant returns a stored item without a tenant as that of the tenant: with the prefix in each partition key.
func (s Schema) ToTenant(tenant keys.Tenant, stored item.Item) item.Item {
	if tenant == "" {
		return stored
	}
	s.keyNames = s.names()
	b, out := border{s, tenant}, slices.Clone(stored)
	for i := range out {
		out[i].Value = b.written(out[i].Name, out[i].Value)
	}
	return out
}
