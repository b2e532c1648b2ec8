module "alarms" {
  source          = "../alarms"
  name            = var.name
  table_name      = var.table_name
  log_group_name  = aws_cloudwatch_log_group.log.name
  reads_stream    = false
  alarm_topic_arn = var.alarm_topic_arn
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
