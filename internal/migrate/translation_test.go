package migrate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
)

// TestTranslation: names and values of enums become others, forward and back. Forward, an object gets what it lacks: a
// default, the first version, a counter of nothing. What neither version declares is kept.
func TestTranslation(t *testing.T) {
	from := version(t, `type Query { recipe(id: ID!): Recipe @get(pk: "RECIPE#{id}", sk: "RECIPE") }
type Recipe @item(pk: "RECIPE#{id}", sk: "RECIPE") {
  id: ID!, name: String, courses: [Meal!], servings: Int, menu: Menu
}
type Menu { meal: Meal, after: [Menu!] }
enum Meal { SWEET MAIN }`)
	to := version(t, `type Query { dish(id: ID!): Dish @get(pk: "RECIPE#{id}", sk: "RECIPE") }
type Dish @was(name: "Recipe") @item(pk: "RECIPE#{id}", sk: "RECIPE") @mutable(update: ["VIEWER"]) {
  id: ID!
  title: String @was(name: "name")
  courses: [Course!]
  menu: Menu
  servings: Int! @default(value: 4)
  tags: [String!]! @default(value: ["new"])
  version: Int! @version
  commentCount: Int! @counts(field: "comments")
  comments: [Comment!]! @query(pk: "RECIPE#{id}", sk: "COMMENT#", atMost: 10)
}
type Comment @item(pk: "RECIPE#{dishId}", sk: "COMMENT#{number:04}") @mutable(create: ["VIEWER"]) {
  dishId: ID!
  number: Int!
}
type Menu { meal: Course, after: [Menu!] }
enum Course @was(name: "Meal") { DESSERT @was(name: "SWEET") MAIN }`)
	object := func(typ string, attributes ...item.Attribute) item.Item {
		return append(item.Item{{Name: item.EntityType, Value: item.StringValue(typ)}}, attributes...)
	}
	text := func(name, text string) item.Attribute {
		return item.Attribute{Name: name, Value: item.StringValue(text)}
	}
	number := func(name string, n int) item.Attribute {
		return item.Attribute{Name: name, Value: item.NumberValue(n)}
	}
	list := func(name string, texts ...string) item.Attribute {
		var elements []item.Value
		for _, text := range texts {
			elements = append(elements, item.StringValue(text))
		}
		return item.Attribute{Name: name, Value: item.ListValue(elements)}
	}
	names := migrate.NewNames(from, to)
	check := func(translation *migrate.Translation, it, want item.Item) {
		t.Helper()
		got, ok := translation.Object(it)
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Error(ok, diff)
		}
	}
	check(names.Forward(),
		object("Recipe", text("id", "1"), text("name", "Soup"), list("courses", "SWEET", "MAIN"), text("other", "kept")),
		object("Dish", text("id", "1"), text("title", "Soup"), list("courses", "DESSERT", "MAIN"), number("servings", 4),
			list("tags", "new"), number("version", 1), number("commentCount", 0), text("other", "kept")))
	menu := func(meal string) item.Attribute {
		after := item.ListValue([]item.Value{item.FieldsValue(item.Item{text("meal", meal), text("note", "SWEET")})})
		return item.Attribute{Name: "menu", Value: item.FieldsValue(item.Item{
			text("meal", "MAIN"), {Name: "after", Value: after},
		})}
	}
	check(names.Back(), object("Dish", menu("DESSERT")), object("Recipe", menu("SWEET")))
	check(names.Forward(), object("Recipe", text("id", "1"), number("servings", 2)),
		object("Dish", text("id", "1"), number("servings", 2), list("tags", "new"), number("version", 1),
			number("commentCount", 0)))
	check(names.Back(),
		object("Dish", text("id", "1"), text("title", "Soup"), list("courses", "DESSERT"), number("version", 3)),
		object("Recipe", text("id", "1"), text("name", "Soup"), list("courses", "SWEET")))
}
