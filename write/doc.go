// Package write is how objects are stored and changed: the items of an object,
// and the actions that create, change and delete them in one transaction.
package write
