// Partita is a GraphQL gateway over one DynamoDB table. It serves a small shop.
package main

import (
	"github.com/partita/partita/app"
	"github.com/partita/partita/internal/shop"
)

func main() { app.Main(shop.Application()) }
