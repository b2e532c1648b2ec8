// Package prices compares what operations cost at worst in two versions of an API.
//
// A price depends on variables, which are unknown before an operation is sent. So each variable has the value with
// which the operation costs the most: pages of 100, lists of 100 elements, ids of the type with the most expensive
// selection, the conditions of @skip and @include with which the most is selected.
package prices
