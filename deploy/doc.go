// Package deploy holds what a deployment of the shop begins with: the table as a CloudFormation template, a Dockerfile, and a
// Grafana dashboard.
package deploy

//go:generate go run generate.go
