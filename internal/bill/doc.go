// Package bill computes what DynamoDB asks for: from the log or the metrics of gateways, or from how often operations
// will be sent.
//
//   - money.go has the numbers, which are integers, and how they are rounded.
//   - prices.go reads a price list; prices.json is that of us-east-1.
//   - bill.go adds up what was consumed, and divides it between the table and its indexes. storage.go adds what does
//     not belong to an operation: storage, backups and streams.
//   - capacity.go compares both modes of capacity, and provisioned.go makes the bill one of provisioned capacity.
//   - log.go, metrics.go and rates.go read what was consumed, or will be; load.go has what a log says of each minute.
//     description.go reads what AWS says of the table.
//   - text.go prints a bill. The JSON is that of a Bill.
//
// Provisioned capacity is paid by the hour, whatever operations consume of it. How much of it auto scaling provisions
// follows from the consumption of minutes. So it is computed only from what has a time: from the log, or from rates,
// which are constant. The counters of metrics do not say when.
//
// What a unit is, and that of a read by 4 KB and a write by 1 KB, is the matter of package capacity: here units are
// given. The rules of the bill are those of these pages, as of August 2026:
//
//   - https://aws.amazon.com/dynamodb/pricing/on-demand/
//   - https://aws.amazon.com/dynamodb/pricing/provisioned/
//   - https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ProvisionedThroughput.html: auto scaling, which
//     follows what is consumed in each of two minutes
//   - https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-understanding-billing.html: what the items of
//     AWS's own bill are; backups have the table and its local indexes, and no global ones
//   - https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html: 100 bytes more of
//     storage for each item
//   - https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CostOptimization_StreamsUsage.html: each
//     GetRecords is a read, whether it has records or not
//   - https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html: what expires is deleted without write
//     units
package bill
