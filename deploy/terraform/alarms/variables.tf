variable "name" {
  description = "Name of the service, for the names of the alarms and metrics"
  type        = string
}

variable "table_name" {
  description = "Name of the table"
  type        = string
}

variable "log_group_name" {
  description = "Name of the group that has the gateway's log, with LOG_FORMAT=json"
  type        = string
}

variable "reads_stream" {
  description = "Whether the service reads the stream of the table, for subscriptions and the cache"
  type        = bool
}

variable "alarm_topic_arn" {
  description = "SNS topic that gets the alarms"
  type        = string
}
