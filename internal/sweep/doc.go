// Package sweep removes what is below deleted objects. A mutation that deletes an object with more below it than one
// transaction can delete turns it into a tombstone, which reads as missing, and puts it into a list in the table. A
// Sweeper goes through that list, oldest deletion first; each step is one transaction of a [write.Sweep].
//
// How far it has come is in the table only: a sweep may end anywhere and another one continue, and any number may run
// at once. Nothing can be added below a tombstone, because all mutations that do so require that the object exists.
//
// Each file uses those below it: worker.go sweeps beside a gateway, sweep.go goes through the list, run.go has the
// steps of one object and its requests, and sweeper.go what a sweep needs and returns.
package sweep
