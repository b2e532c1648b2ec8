package otherwriter

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// keyed returns an item with a key and the derived attributes of a product.
func keyed(it attributes, pk, sk string) attributes {
	it = maps.Clone(it)
	it["pk"], it["sk"] = s(pk), s(sk)
	return it
}

// withEntry returns the base item of a product with its entry in the index.
func withEntry(it attributes, id string) attributes {
	it = maps.Clone(it)
	delete(it, "gsi1pk")
	delete(it, "gsi1sk")
	if title, is := it["title"].(*types.AttributeValueMemberS); is {
		it["gsi1pk"], it["gsi1sk"] = s("SHOP#"+textOf(it["shop"])), s(title.Value+"#"+id)
	}
	return it
}

func fieldsOf(v value) attributes { return v.(*types.AttributeValueMemberM).Value }

// putProduct stores a product as the other program does: a base item and a copy with the same values, each with
// attributes of its own.
func (w *world) putProduct(large bool) {
	w.Helper()
	w.next++
	id := fmt.Sprint("p", w.next)
	core := fieldsOf(declared(w.r, product))
	core["id"], core["_et"] = s(id), s("PROD")
	if w.r.IntN(6) == 0 {
		core["title"] = s("") // no mutation could write it, and its entry remains
	}
	if large {
		core["large"] = s(strings.Repeat("x", 350_000))
	}
	m := &types.AttributeValueMemberM{Value: core}
	base := keyed(fieldsOf(strange(w.r, product, m)), "P#"+id, "P#"+id)
	w.put(withEntry(base, id))
	w.put(keyed(fieldsOf(strange(w.r, product, m)), "SHOP#"+textOf(core["shop"]), "P#"+id))
	w.products = append(w.products, id)
}

// drawnInput returns changes of some of the fields, and their values as an input.
func (w *world) drawnInput(fields []field, stored attributes, all bool) (map[string]change, string) {
	changes, input := map[string]change{}, ""
	for _, f := range fields {
		if all && f.required || w.r.IntN(5) == 0 {
			c := f.drawn(w.r, stored[f.attribute()])
			changes[f.name], input = c, input+f.name+": "+c.literal+" "
		}
	}
	return changes, input
}

func changed(fields []field, changes map[string]change, it attributes) attributes {
	return fieldsOf(applied(fields, changes, &types.AttributeValueMemberM{Value: it}, false))
}

func (w *world) updateProduct() {
	w.Helper()
	id := w.products[w.r.IntN(len(w.products))]
	baseKey := "P#" + id + " P#" + id
	base := w.items[baseKey]
	copyKey := "SHOP#" + textOf(base["shop"]) + " P#" + id
	fields := product
	if textOf(base["title"]) == "" {
		fields = product[1:] // the entry does not follow from the title
	}
	changes, input := w.drawnInput(fields, base, false)
	w.mutate("updateProduct", fmt.Sprintf("id: %q %s", globalID("Product", id), input), "product { id }")
	if len(changes) == 0 {
		return
	}
	copied := changed(product, changes, w.items[copyKey])
	base = withEntry(changed(product, changes, base), id)
	delete(w.items, copyKey)
	w.items[baseKey] = base
	w.items["SHOP#"+textOf(base["shop"])+" P#"+id] = keyed(copied, "SHOP#"+textOf(base["shop"]), "P#"+id)
}

func (w *world) createProduct() {
	w.Helper()
	changes, input := w.drawnInput(product, nil, true)
	payload := w.mutate("createProduct", input, "product { id sizes }")
	encoded := payload["product"].(map[string]any)["id"].(string)
	id := decoded(encoded)
	it := changed(product, changes, attributes{"id": s(id), "_et": s("PROD")})
	w.items["P#"+id+" P#"+id] = withEntry(keyed(it, "P#"+id, "P#"+id), id)
	w.items["SHOP#"+textOf(it["shop"])+" P#"+id] = keyed(it, "SHOP#"+textOf(it["shop"]), "P#"+id)
	w.products = append(w.products, id)
}

func (w *world) deleteProduct() {
	w.Helper()
	at := w.r.IntN(len(w.products))
	id := w.products[at]
	base := w.items["P#"+id+" P#"+id]
	w.mutate("deleteProduct", fmt.Sprintf("id: %q", globalID("Product", id)), "deletedProductId")
	delete(w.items, "P#"+id+" P#"+id)
	delete(w.items, "SHOP#"+textOf(base["shop"])+" P#"+id)
	w.products = slices.Delete(w.products, at, at+1)
}

const latestKey = "PAGE#n LATEST"

func pageSK(number int) string { return fmt.Sprintf("v%05d", number) }

// createPage creates the page with the next number, which becomes the latest one: the attributes of the item that no
// field declares remain.
func (w *world) createPage() {
	w.Helper()
	w.next++
	changes, input := w.drawnInput(page, nil, false)
	w.mutate("createPage", fmt.Sprintf("name: \"n\" number: %d %s", w.next, input), "page { id }")
	it := changed(page, changes, attributes{
		"_et": s("Page"), "name": s("n"), "no": n(fmt.Sprint(w.next)), "revision": n("1"),
	})
	w.items["PAGE#n "+pageSK(w.next)] = keyed(it, "PAGE#n", pageSK(w.next))
	latest := attributes{}
	for name, v := range w.items[latestKey] {
		isField := slices.ContainsFunc(page, func(f field) bool { return f.attribute() == name })
		if !isField && name != "deletedAt" {
			latest[name] = v
		}
	}
	maps.Copy(latest, it)
	w.items[latestKey] = keyed(latest, "PAGE#n", "LATEST")
	w.pages = append(w.pages, w.next)
}

// decoratePage adds attributes that no field declares to a page and to the latest one.
func (w *world) decoratePage() {
	w.Helper()
	for _, key := range []string{latestKey, "PAGE#n " + pageSK(w.pages[w.r.IntN(len(w.pages))])} {
		it := strange(w.r, page, &types.AttributeValueMemberM{Value: w.items[key]})
		w.put(fieldsOf(it))
	}
}

func (w *world) updatePage() {
	w.Helper()
	no := w.pages[len(w.pages)-1-w.r.IntN(min(2, len(w.pages)))]
	key := "PAGE#n " + pageSK(no)
	it := w.items[key]
	changes, input := w.drawnInput(page, it, false)
	if len(changes) == 0 {
		return
	}
	revision := it["revision"].(*types.AttributeValueMemberN).Value
	w.mutate("updatePage", fmt.Sprintf("id: %q revision: %s %s", globalID("Page", "n", fmt.Sprint(no)), revision, input),
		"page { id }")
	raised := fmt.Sprint(int(number(revision)) + 1)
	for _, key := range []string{key, latestKey} {
		if number(w.items[key]["no"].(*types.AttributeValueMemberN).Value) == float64(no) {
			w.items[key] = changed(page, changes, w.items[key])
			w.items[key]["revision"] = n(raised)
		}
	}
}

// deletePage deletes a page. Of the latest one a tombstone remains, which the next one replaces.
func (w *world) deletePage() {
	w.Helper()
	if len(w.pages) < 2 {
		return
	}
	at := w.r.IntN(len(w.pages))
	no := w.pages[at]
	isLatest := at == len(w.pages)-1
	key := "PAGE#n " + pageSK(no)
	revision := w.items[key]["revision"].(*types.AttributeValueMemberN).Value
	w.mutate("deletePage", fmt.Sprintf("id: %q revision: %s", globalID("Page", "n", fmt.Sprint(no)), revision),
		"deletedPageId")
	delete(w.items, key)
	w.pages = slices.Delete(w.pages, at, at+1)
	if !isLatest {
		return
	}
	tombstone := maps.Clone(w.items[latestKey])
	for _, name := range []string{"name", "revision"} {
		delete(tombstone, name)
	}
	for _, f := range page {
		delete(tombstone, f.attribute())
	}
	tombstone["deletedAt"] = s("")
	w.items[latestKey] = tombstone
	w.compare()
	w.createPage()
}

func decoded(id string) string {
	text, err := base64.RawURLEncoding.DecodeString(id)
	if err != nil {
		panic(err)
	}
	_, raw, _ := strings.Cut(string(text), ":")
	return raw
}
