# Every kind of resource Rouse's module uses, in its smallest form. The local cloud must let the AWS provider create it,
# read it back unchanged, and destroy it.

terraform {
  required_version = ">= 1.9"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.100"
    }
  }
}

provider "aws" {
  region = "us-east-1"
}

variable "function_zip" {
  type        = string
  description = "Path of a zip that holds the function's bootstrap."
}

variable "architecture" {
  type        = string
  description = "Architecture of the function: arm64 or x86_64."
}

variable "image" {
  type        = string
  description = "Image of the worker's container."
  default     = "fleet-worker:1"
}

variable "queues" {
  type        = bool
  description = "Whether to make the queues, for each of which the provider waits 25 s."
  default     = true
}

resource "aws_sqs_queue" "dead" {
  count                     = var.queues ? 1 : 0
  name                      = "jobs-dead"
  message_retention_seconds = 1209600
  sqs_managed_sse_enabled   = true
}

resource "aws_sqs_queue" "jobs" {
  count                      = var.queues ? 1 : 0
  name                       = "jobs"
  visibility_timeout_seconds = 60
  sqs_managed_sse_enabled    = true
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead[0].arn
    maxReceiveCount     = 5
  })
}

resource "aws_sqs_queue_redrive_allow_policy" "dead" {
  count     = var.queues ? 1 : 0
  queue_url = aws_sqs_queue.dead[0].id
  redrive_allow_policy = jsonencode({
    redrivePermission = "byQueue"
    sourceQueueArns   = [aws_sqs_queue.jobs[0].arn]
  })
}

data "aws_iam_policy_document" "tls_only" {
  count = var.queues ? 1 : 0
  statement {
    sid       = "DenyInsecureTransport"
    effect    = "Deny"
    actions   = ["sqs:*"]
    resources = [aws_sqs_queue.jobs[0].arn]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }
}

resource "aws_sqs_queue_policy" "jobs" {
  count     = var.queues ? 1 : 0
  queue_url = aws_sqs_queue.jobs[0].id
  policy    = data.aws_iam_policy_document.tls_only[0].json
}

resource "aws_dynamodb_table" "state" {
  name         = "fleet"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "pk"
  range_key    = "sk"

  attribute {
    name = "pk"
    type = "S"
  }
  attribute {
    name = "sk"
    type = "S"
  }
  attribute {
    name = "kind"
    type = "S"
  }
  attribute {
    name = "workload"
    type = "S"
  }
  global_secondary_index {
    name            = "specs"
    hash_key        = "kind"
    range_key       = "workload"
    projection_type = "ALL"
  }
  ttl {
    attribute_name = "expires_at"
    enabled        = true
  }
  point_in_time_recovery {
    enabled = true
  }
  server_side_encryption {
    enabled = true
  }
}

resource "aws_dynamodb_table_item" "spec" {
  table_name = aws_dynamodb_table.state.name
  hash_key   = aws_dynamodb_table.state.hash_key
  range_key  = aws_dynamodb_table.state.range_key
  item = jsonencode({
    pk       = { S = "workload#jobs" }
    sk       = { S = "spec" }
    kind     = { S = "spec" }
    workload = { S = "jobs" }
    document = { S = jsonencode({ version = 1, name = "jobs" }) }
  })
}

resource "aws_cloudwatch_metric_alarm" "dead" {
  alarm_name          = "fleet-dead-letters"
  namespace           = "AWS/SQS"
  metric_name         = "ApproximateNumberOfMessagesVisible"
  dimensions          = { QueueName = "jobs-dead" }
  statistic           = "Maximum"
  period              = 60
  evaluation_periods  = 1
  threshold           = 0
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
}
