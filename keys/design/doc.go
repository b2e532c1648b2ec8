// Package design has the design of a table: types, the shapes under which their objects are stored, and fields with the
// key condition that serves each.
//
// A Type has shapes, pairs of key templates: its base item, its copies, its entries in indexes. A Field has templates
// as well; its Matches are the shapes that these select. A BoundField is a field with the values of its variables. Its
// Condition selects exactly one partition (or the shards or time buckets of one collection) and one sort key or range
// of sort keys. No value from a caller can make it select more.
//
// The files, from the bottom up:
//
//  1. design.go has the types that refer to each other, above their parts (attribute.go, mutation.go, counter.go,
//     kinds.go). type.go, field.go and lookup.go are what each knows of itself, valuecheck.go and member.go what rules
//     demand.
//  2. typekey.go builds the keys of an object. recognise.go finds the type of an item, and translate.go the names and
//     formats that it has in an existing table, with nested.go for objects inside of attributes.
//  3. match.go finds the shapes that a field selects, rest.go how their sort keys continue. live.go derives the fields
//     of Subscription. join.go and projection.go compare shapes with each other. NewDesign, in new.go, does all of
//     that once.
//  4. condition.go has what is bound. owner.go, excludes.go, buckets.go and range.go each set a part of a Condition,
//     and bind.go all of them. cursor.go is a position in it. reconcile.go reads what was found. members.go finds the
//     items of members, and stepreads.go what the steps of an action read.
//
// The Design of a schema is generated from its directives by package gen. It does not change afterwards.
//
// # Why it is so
//
// A read resolver is one line, and Go cannot pass a value and an error as one argument. So a generated function returns
// a BoundField, and its Condition is built in one place. A Condition with an error still has its owners: access is
// decided before a caller sees what is wrong with an argument.
//
// An item has expired by the rule of DynamoDB, which keeps items whose time is more than five years ago, so that 0 can
// mean never.
//
// That there is no Go is a property of the design, because the plan asks the design what is hand-written.
package design
