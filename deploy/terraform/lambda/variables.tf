variable "name" {
  description = "Name of everything that is created"
  type        = string
  default     = "partita"
}

variable "image" {
  description = "The image that \"make image ARCH=arm64\" writes, in ECR in this region; Lambda takes one of one architecture only"
  type        = string
}

variable "architecture" {
  description = "CPU that the image is for: arm64 or x86_64"
  type        = string
  default     = "arm64"
}

variable "folder" {
  description = "/schema if the image has a folder of schema files; otherwise nothing"
  type        = string
  default     = ""
}

variable "table_name" {
  description = "Name of the table"
  type        = string
  default     = "partita"
}

variable "table_template" {
  description = "File with what partita design --format=cloudformation prints"
  type        = string
}

variable "jwt_issuer" {
  description = "Claim iss of the tokens, the identity provider's URL"
  type        = string
}

variable "jwt_audience" {
  description = "Claim aud of the tokens"
  type        = string
}

variable "most_at_once" {
  description = "Most operations at a time, each of which has an instance of its own"
  type        = number
  default     = 50
}

variable "alarm_topic_arn" {
  description = "The SNS topic to which alarms are sent"
  type        = string
}
