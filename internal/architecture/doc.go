// Package architecture tests which packages of the module import which: imports go one way, from the program to the
// stored items, and the engine does not know the shop.
package architecture
