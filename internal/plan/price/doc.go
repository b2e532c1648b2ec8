// Package price computes what an operation costs at worst, compares it with limits, and explains it.
//
// One operation, file by file:
//
//  1. fold.go finds what the nodes of a bound plan read and write. An object is what is read below one object of the
//     answer, and a field is a group of equal fields of it (object.go). Both are found once for a node and what is
//     known of it, however often it is selected. paths.go has their places in the response.
//  2. query.go computes what the Queries of a page consume, and wave.go adds up and multiplies what waves consume.
//  3. operation.go adds up the objects, from below to the root, and sends deferred Gets with others. For other sizes of
//     pages it only adds up again. answer.go counts the objects of the answer.
//  4. price.go returns the price, which the plan keeps, compares it with limits, and finds the sizes of pages with
//     which an operation would be within them.
//  5. explain.go walks through the objects of the fold and writes an Explanation (explanation.go), with key conditions
//     from conditions.go and explainkeys.go, and with what is written from writes.go; explaintext.go prints it. A Trace
//     (trace.go) finds the Reads of an Explanation by the places of fields, so that what they consume can be measured.
package price
