// Package telemetry tells what a gateway does: metrics as Prometheus scrapes them, and OpenTelemetry's traces.
//
// An [Observer] is told of operations by the gateway and of waves and DynamoDB requests by the loaders. What it keeps holds no values of
// a document, no variables and no keys. Whatever a caller can choose, such as the name of an operation, is bounded in number and length before
// it becomes a label.
package telemetry
