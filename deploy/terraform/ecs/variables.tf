variable "name" {
  description = "Name of everything that is created"
  type        = string
  default     = "partita"
}

variable "image" {
  description = "The image that \"make image\" writes, in a registry that the tasks can reach"
  type        = string
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

variable "vpc_id" {
  description = "The network, in whose address range the load balancer is"
  type        = string
}

variable "public_subnets" {
  description = "At least two, for the load balancer"
  type        = list(string)
}

variable "private_subnets" {
  description = "For the tasks; with a way to DynamoDB, CloudWatch Logs, the registry and the identity provider"
  type        = list(string)
}

variable "certificate_arn" {
  description = "Certificate of the domain, in this region"
  type        = string
}

variable "domain" {
  description = "The domain that clients use, such as api.example.org"
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

variable "replicas" {
  description = "Number of tasks"
  type        = number
  default     = 2
}

variable "alarm_topic_arn" {
  description = "The SNS topic to which alarms are sent"
  type        = string
}
