// Package admin has what operators do with a table: Create, Verify, Load, Export
// and Scan. The gateway itself calls Verify only, so it never scans a table and
// never creates or changes one.
//
// Load and Export read and write lines: one item each, as JSON lines in the format
// of a DynamoDB export to S3.
package admin
