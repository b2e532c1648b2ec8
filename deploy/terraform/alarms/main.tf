# Alarms that both services have: on throttling of the table, and on lines of the gateway's log.

terraform {
  required_providers {
    aws = { source = "hashicorp/aws", version = ">= 6.29" }
  }
}

locals {
  # Events of the table, by the alarm.
  throttles = { reads = "ReadThrottleEvents", writes = "WriteThrottleEvents" }
  # Lines of the log, by the metric that counts them, and how many of them in a minute are no alarm. Refusals are of
  # callers whose budget, or share of the gateway, is used up. After a problem with the stream, subscriptions and the
  # cache are late. Damaged items are among the errors.
  all_lines = {
    Refusals       = { pattern = "{ $.codes = \"*RATE_LIMITED*\" }", allowed = 10, of_stream = false }
    StreamProblems = { pattern = "{ ($.level = \"WARN\") && (($.msg = \"*stream of the table*\") || ($.msg = \"*changes of the table*\") || ($.msg = \"*no subscriptions*\")) }", allowed = 0, of_stream = true }
    Errors         = { pattern = "{ $.level = \"ERROR\" }", allowed = 0, of_stream = false }
  }
  lines = { for name, line in local.all_lines : name => line if var.reads_stream || !line.of_stream }
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
  log_group_name = var.log_group_name
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
