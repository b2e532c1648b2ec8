// Package predicate has the conditions that rules of a schema set on one stored object, such as
//
//	status = HELD and heldBy = {viewer} and heldUntil > {now}
//
// A predicate is a conjunction of comparisons. The left side of each is a field of the object, the right side one value
// or, after in, a list of values:
//
//   - null: the field has no value. It is compared by = and != alone.
//   - HELD, 10, -0.5, "text", true: a value of an enum, a number, a text, a Boolean.
//   - {name}: the value of an input of the mutation, or else of another field of the same object.
//   - {viewer}: the viewer's id.
//   - {now}, {now+PT10M}, {now-P1D}: the time of the request, and an ISO 8601 duration later or earlier.
//
// Comparisons are those of a DynamoDB condition expression, so that the table and Go decide alike: a field without a
// value is equal to nothing, below and above nothing, and differs from every value.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
package predicate
