// Package several gives the local engine indexes whose keys are several attributes. The engine creates them, but uses
// the first attribute only. A Proxy in front of it stores one more attribute in each item, with the texts of all of
// them, and creates the index with that. No response has these attributes.
//
// What a request may be follows from the documentation of Amazon DynamoDB: a Query gives one value to each attribute of
// the partition key, and to those of the sort key from the left; a range is the last condition.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html
package several
