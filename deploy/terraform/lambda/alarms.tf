locals {
  # Events of the table, by the alarm.
  throttles = { reads = "ReadThrottleEvents", writes = "WriteThrottleEvents" }
  # Lines of the log, by the metric that counts them, and how many of them in a minute are no alarm. Refusals are of
  # callers whose budget, or share of the gateway, is used up. Damaged items are among the errors.
  lines = {
    Refusals = { pattern = "{ $.codes = \"*RATE_LIMITED*\" }", allowed = 10 }
    Errors   = { pattern = "{ $.level = \"ERROR\" }", allowed = 0 }
  }
}

resource "aws_cloudwatch_metric_alarm" "throttled" {
  for_each            = local.throttles
  alarm_name          = "${var.name}-${each.key}-throttled"
  alarm_description   = "DynamoDB throttles the table - a hot partition, or the table's limit"
  namespace           = "AWS/DynamoDB"
  metric_name         = each.value
  dimensions          = { TableName = var.table_name }
  statistic           = "Sum"
  period              = 60
  evaluation_periods  = 5
  datapoints_to_alarm = 3
  threshold           = 0
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = [var.alarm_topic_arn]
}

resource "aws_cloudwatch_log_metric_filter" "lines" {
  for_each       = local.lines
  name           = "${var.name}-${each.key}"
  log_group_name = aws_cloudwatch_log_group.log.name
  pattern        = each.value.pattern
  metric_transformation {
    namespace     = var.name
    name          = each.key
    value         = "1"
    default_value = "0"
  }
}

resource "aws_cloudwatch_metric_alarm" "lines" {
  for_each            = local.lines
  alarm_name          = "${var.name}-${each.key}"
  namespace           = var.name
  metric_name         = each.key
  statistic           = "Sum"
  period              = 60
  evaluation_periods  = 5
  datapoints_to_alarm = each.value.allowed == 0 ? 1 : 3
  threshold           = each.value.allowed
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = [var.alarm_topic_arn]
}

# Instances that are all in use, and invocations that end with an error, as with a schema that the table does not fit.
resource "aws_cloudwatch_metric_alarm" "function" {
  for_each            = toset(["Throttles", "Errors"])
  alarm_name          = "${var.name}-function-${each.key}"
  namespace           = "AWS/Lambda"
  metric_name         = each.key
  dimensions          = { FunctionName = aws_lambda_function.gateway.function_name }
  statistic           = "Sum"
  period              = 60
  evaluation_periods  = 3
  threshold           = 0
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = [var.alarm_topic_arn]
}
