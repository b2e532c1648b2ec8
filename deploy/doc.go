// Package deploy has the first files of a deployment of the shop: the table as a CloudFormation template, a Dockerfile,
// and a Grafana dashboard.
package deploy

//go:generate sh -c "go run .. design --format=cloudformation > table.yaml"
