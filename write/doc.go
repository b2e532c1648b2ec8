// Package write has what mutations need: the items in which an object is stored, the
// actions that create, change and delete them, and transactions.
//
// A mutation checks its input and collects what is wrong as UserErrors. It may Read an object as it
// is now. Create, Update and Delete turn the stored items of objects, which generated functions
// return, into actions; Count changes a counter, Claim makes a value unique. The actions are the
// parts of one Transaction, and Commit carries it out. A part that fails is looked up by its name.
// Once commits a mutation that must be carried out once for each idempotency key.
//
// A context of package loaders has the Store that Read and Commit use. The package
// itself knows neither GraphQL nor DynamoDB's client.
package write
