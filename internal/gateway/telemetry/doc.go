// Package telemetry exports metrics for Prometheus and OpenTelemetry traces of a gateway.
//
// An [Observer] observes operations in the gateway, and waves and DynamoDB requests in the loaders. Metrics and
// traces contain no values of a document, no variables and no keys. Values that a caller can choose, such as the
// name of an operation, are limited in number and length before they become labels.
package telemetry
