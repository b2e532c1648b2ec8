# A Partita gateway on Fargate, behind a load balancer with TLS: what ecs.yaml declares for CloudFormation, and the table.

terraform {
  required_providers {
    aws = { source = "hashicorp/aws", version = ">= 6.0" }
  }
}

data "aws_region" "current" {}
data "aws_partition" "current" {}
data "aws_caller_identity" "current" {}
data "aws_vpc" "network" { id = var.vpc_id }

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

resource "aws_ecs_cluster" "cluster" { name = var.name }

data "aws_iam_policy_document" "by_tasks" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["ecs-tasks.amazonaws.com"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [data.aws_caller_identity.current.account_id]
    }
  }
}

# What the gateway may do: the policy of its table and nothing else.
resource "aws_iam_role" "task" {
  name_prefix        = var.name
  assume_role_policy = data.aws_iam_policy_document.by_tasks.json
}

resource "aws_iam_role_policy_attachment" "table" {
  role       = aws_iam_role.task.name
  policy_arn = aws_cloudformation_stack.table.outputs["GatewayPolicyArn"]
}

# What ECS does to start a task: it pulls the image and writes the log.
resource "aws_iam_role" "execution" {
  name_prefix        = var.name
  assume_role_policy = data.aws_iam_policy_document.by_tasks.json
}

resource "aws_iam_role_policy_attachment" "execution" {
  role       = aws_iam_role.execution.name
  policy_arn = "arn:${data.aws_partition.current.partition}:iam::aws:policy/service-role/AmazonECSTaskExecutionRolePolicy"
}

locals {
  settings = {
    AWS_REGION      = data.aws_region.current.region
    TABLE_NAME      = var.table_name
    JWT_ISSUER      = var.jwt_issuer
    JWT_AUDIENCE    = var.jwt_audience
    ALLOWED_HOSTS   = var.domain
    TRUSTED_PROXIES = data.aws_vpc.network.cidr_block
    HSTS_MAX_AGE    = "8760h"
    LOG_FORMAT      = "json"
    METRICS_ADDR    = ":9090"
  }
}

resource "aws_ecs_task_definition" "gateway" {
  family                   = var.name
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = 512
  memory                   = 1024
  task_role_arn            = aws_iam_role.task.arn
  execution_role_arn       = aws_iam_role.execution.arn
  runtime_platform {
    cpu_architecture        = "ARM64"
    operating_system_family = "LINUX"
  }
  container_definitions = jsonencode([{
    name                   = "gateway"
    image                  = var.image
    essential              = true
    readonlyRootFilesystem = true
    # Longer than GRACE, which is 20 s.
    stopTimeout  = 30
    portMappings = [{ containerPort = 8080 }]
    environment  = [for name, value in local.settings : { name = name, value = value }]
    logConfiguration = {
      logDriver = "awslogs"
      options = {
        awslogs-group         = aws_cloudwatch_log_group.log.name
        awslogs-region        = data.aws_region.current.region
        awslogs-stream-prefix = "gateway"
      }
    }
  }])
}

resource "aws_security_group" "load_balancer" {
  name_prefix = var.name
  description = "Clients of the gateway"
  vpc_id      = var.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "clients" {
  for_each          = toset(["80", "443"])
  security_group_id = aws_security_group.load_balancer.id
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "tcp"
  from_port         = each.value
  to_port           = each.value
}

resource "aws_vpc_security_group_egress_rule" "to_tasks" {
  security_group_id            = aws_security_group.load_balancer.id
  referenced_security_group_id = aws_security_group.tasks.id
  ip_protocol                  = "tcp"
  from_port                    = 8080
  to_port                      = 8080
}

resource "aws_security_group" "tasks" {
  name_prefix = var.name
  description = "The gateway, for its load balancer only"
  vpc_id      = var.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "to_tasks" {
  security_group_id            = aws_security_group.tasks.id
  referenced_security_group_id = aws_security_group.load_balancer.id
  ip_protocol                  = "tcp"
  from_port                    = 8080
  to_port                      = 8080
}

resource "aws_vpc_security_group_egress_rule" "from_tasks" {
  security_group_id = aws_security_group.tasks.id
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "-1"
}

resource "aws_lb" "gateway" {
  name                       = var.name
  load_balancer_type         = "application"
  subnets                    = var.public_subnets
  security_groups            = [aws_security_group.load_balancer.id]
  drop_invalid_header_fields = true
  # The gateway pings subscriptions each 25 s.
  idle_timeout = 60
}

resource "aws_lb_target_group" "gateway" {
  name                 = var.name
  vpc_id               = var.vpc_id
  target_type          = "ip"
  protocol             = "HTTP"
  port                 = 8080
  deregistration_delay = 20
  health_check {
    path                = "/readyz"
    interval            = 10
    healthy_threshold   = 2
    unhealthy_threshold = 2
  }
}

resource "aws_lb_listener" "https" {
  load_balancer_arn = aws_lb.gateway.arn
  protocol          = "HTTPS"
  port              = 443
  ssl_policy        = "ELBSecurityPolicy-TLS13-1-2-2021-06"
  certificate_arn   = var.certificate_arn
  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.gateway.arn
  }
}

resource "aws_lb_listener" "http" {
  load_balancer_arn = aws_lb.gateway.arn
  protocol          = "HTTP"
  port              = 80
  default_action {
    type = "redirect"
    redirect {
      protocol    = "HTTPS"
      port        = "443"
      status_code = "HTTP_301"
    }
  }
}

resource "aws_ecs_service" "gateway" {
  name                               = var.name
  cluster                            = aws_ecs_cluster.cluster.id
  task_definition                    = aws_ecs_task_definition.gateway.arn
  launch_type                        = "FARGATE"
  desired_count                      = var.replicas
  health_check_grace_period_seconds  = 30
  deployment_minimum_healthy_percent = 100
  deployment_maximum_percent         = 200
  # A replica that does not become ready, as one whose schema the table does not fit, ends the deployment.
  deployment_circuit_breaker {
    enable   = true
    rollback = true
  }
  network_configuration {
    subnets         = var.private_subnets
    security_groups = [aws_security_group.tasks.id]
  }
  load_balancer {
    container_name   = "gateway"
    container_port   = 8080
    target_group_arn = aws_lb_target_group.gateway.arn
  }
  depends_on = [aws_lb_listener.https]
}

output "address" {
  description = "Make the domain an alias, or a CNAME, of this name"
  value       = aws_lb.gateway.dns_name
}
