// Package bill computes what DynamoDB asks for: from the log or the metrics of gateways, or from how often operations
// will be sent.
//
//   - money.go has the numbers, which are integers, and how they are rounded.
//   - prices.go reads a price list; prices.json is that of us-east-1.
//   - bill.go adds up what was consumed, and divides it between the table and its indexes. storage.go adds what does
//     not belong to an operation: storage and streams.
//   - log.go, metrics.go and rates.go read what was consumed, or will be.
//   - text.go prints a bill. The JSON is that of a Bill.
//
// A bill is for tables in on-demand mode. Provisioned capacity is paid by the hour, whatever operations consume of it.
//
// What a unit is, and that of a read by 4 KB and a write by 1 KB, is the matter of package capacity: here units are
// given. The rules of the bill are those of these pages, as of August 2026:
//
//   - https://aws.amazon.com/dynamodb/pricing/on-demand/
//   - https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html: 100 bytes more of
//     storage for each item
//   - https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CostOptimization_StreamsUsage.html: each
//     GetRecords is a read, whether it has records or not
//   - https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html: what expires is deleted without write
//     units
package bill
