// Package migrate takes a table with data from its design to another one: what differs, which side is read and written
// in which state, and how an object of one design is stored by the other.
//
// Words: the table has a Record of the design that its data follow (From), and during a migration of the design that it
// goes to (To); these are its two sides. A State says what each side is used for (state.go). A gateway works with its
// own design, which is its API over what the side that is read stores, and with a companion, the other side, which it
// keeps right in the same transactions.
//
// States are a line, and a migration goes along it by single steps, in both directions. A step is taken only when no
// replica acts by the state before the last one, so that at any time two neighbouring states are in use. It is right if
// each pair of neighbours is: what one replica reads, the other one writes. This is the invariant of F1:
// https://research.google/pubs/online-asynchronous-schema-change-in-f1/
package migrate
