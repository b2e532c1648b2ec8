# A Partita gateway as a Lambda function with a URL: what lambda.yaml declares for CloudFormation, and the table.

terraform {
  required_providers {
    aws = { source = "hashicorp/aws", version = ">= 6.29" }
  }
}

data "aws_partition" "current" {}

# The table and its policies are written from the schema: partita design --format=cloudformation.
resource "aws_cloudformation_stack" "table" {
  name          = "${var.name}-table"
  template_body = file(var.table_template)
  parameters    = { TableName = var.table_name }
  capabilities  = ["CAPABILITY_IAM"]
}

resource "aws_cloudwatch_log_group" "log" {
  name              = "/partita/${var.name}"
  retention_in_days = 30
}

data "aws_iam_policy_document" "by_lambda" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "gateway" {
  name_prefix        = var.name
  assume_role_policy = data.aws_iam_policy_document.by_lambda.json
}

resource "aws_iam_role_policy_attachment" "table" {
  role       = aws_iam_role.gateway.name
  policy_arn = aws_cloudformation_stack.table.outputs["GatewayPolicyArn"]
}

resource "aws_iam_role_policy_attachment" "log" {
  role       = aws_iam_role.gateway.name
  policy_arn = "arn:${data.aws_partition.current.partition}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
}

locals {
  settings = {
    TABLE_NAME   = var.table_name
    JWT_ISSUER   = var.jwt_issuer
    JWT_AUDIENCE = var.jwt_audience
    LOG_FORMAT   = "json"
  }
}

resource "aws_lambda_function" "gateway" {
  function_name = var.name
  package_type  = "Image"
  image_uri     = var.image
  architectures = [var.architecture]
  role          = aws_iam_role.gateway.arn
  memory_size   = 1024
  # Longer than OPERATION_TIMEOUT, which is 10 s.
  timeout                        = 15
  reserved_concurrent_executions = var.most_at_once
  image_config { command = compact(["lambda", var.folder]) }
  environment { variables = local.settings }
  logging_config {
    log_group  = aws_cloudwatch_log_group.log.name
    log_format = "Text"
  }
}

# The gateway checks the tokens itself.
resource "aws_lambda_function_url" "gateway" {
  function_name      = aws_lambda_function.gateway.function_name
  authorization_type = "NONE"
}

resource "aws_lambda_permission" "url" {
  function_name          = aws_lambda_function.gateway.function_name
  action                 = "lambda:InvokeFunctionUrl"
  principal              = "*"
  function_url_auth_type = "NONE"
}

# Since October 2025 a URL needs both.
resource "aws_lambda_permission" "function" {
  function_name            = aws_lambda_function.gateway.function_name
  action                   = "lambda:InvokeFunction"
  principal                = "*"
  invoked_via_function_url = true
}

output "address" {
  description = "The URL of the gateway; /graphql is below it"
  value       = aws_lambda_function_url.gateway.function_url
}
