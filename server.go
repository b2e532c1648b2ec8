// Partita is a GraphQL gateway over one DynamoDB table.
package main

import "github.com/partita/partita/app"

//go:generate go run ./keys/gen/partitagen

func main() { app.Main() }
