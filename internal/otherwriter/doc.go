// Package otherwriter tests mutations of a table to which another program writes, by the plain AWS SDK: whatever that
// program has stored, a mutation changes what it means, and nothing else.
package otherwriter
