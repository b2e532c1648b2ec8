// Package price computes what an operation costs at worst, and explains it.
package price
