// Package deploy holds what a deployment of the shop begins with: the table as a CloudFormation template, a Dockerfile, and a
// Grafana dashboard.
package deploy

//go:generate sh -c "go run .. design --format=cloudformation > table.yaml"
