// Partita is a GraphQL gateway over one DynamoDB table. It serves a small shop.
package main

import (
	// An image without an operating system has no certificates of authorities. Where there are some, these are not used.
	_ "golang.org/x/crypto/x509roots/fallback"

	"github.com/partita/partita/app"
	"github.com/partita/partita/internal/shop"
)

func main() { app.Main(shop.Application()) }
