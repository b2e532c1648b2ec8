// Package rest answers the operations of bench by handlers that are written by hand for exactly these answers, with the
// fewest DynamoDB requests. The same handlers run on the AWS SDK, and on net/http with requests that are signed by hand
// and responses that are parsed by encoding/json.
package rest
