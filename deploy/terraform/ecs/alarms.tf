module "alarms" {
  source          = "../alarms"
  name            = var.name
  table_name      = var.table_name
  log_group_name  = aws_cloudwatch_log_group.log.name
  reads_stream    = true
  alarm_topic_arn = var.alarm_topic_arn
}

resource "aws_cloudwatch_metric_alarm" "not_ready" {
  alarm_name        = "${var.name}-not-ready"
  alarm_description = "Replicas are not ready"
  namespace         = "AWS/ApplicationELB"
  metric_name       = "UnHealthyHostCount"
  dimensions = {
    LoadBalancer = aws_lb.gateway.arn_suffix
    TargetGroup  = aws_lb_target_group.gateway.arn_suffix
  }
  statistic           = "Maximum"
  period              = 60
  evaluation_periods  = 3
  threshold           = 0
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "breaching"
  alarm_actions       = [var.alarm_topic_arn]
}
