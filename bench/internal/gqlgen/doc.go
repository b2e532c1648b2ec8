// Package gqlgen serves the shop's schema as the documentation of gqlgen and of dataloader/v7 shows: resolvers that
// load one object each, and loaders that are created for each request and wait a millisecond for further keys. The
// executor and the models are those of the shop. A resolver exists for the fields that bench selects.
//
// https://gqlgen.com/reference/dataloaders/
package gqlgen
