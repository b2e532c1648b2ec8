// Package deploy has the first files of a deployment of the shop: CloudFormation templates of the table and of a
// service, the same as Terraform text, an image, and a Grafana dashboard.
package deploy

//go:generate sh -c "go run .. design --format=cloudformation > table.yaml"
