# The workers' roles: the task role is the worker's own, the execution role is
# ECS's for starting it.

data "aws_iam_policy_document" "assume_ecs_tasks" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["ecs-tasks.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [local.account_id]
    }
  }
}

resource "aws_iam_role" "task" {
  name                 = "${local.prefix}-task"
  description          = "Rouse workers of ${var.name}"
  assume_role_policy   = data.aws_iam_policy_document.assume_ecs_tasks.json
  permissions_boundary = var.permissions_boundary_arn
  tags                 = local.tags
}

resource "aws_iam_role_policy" "task" {
  name   = "worker"
  role   = aws_iam_role.task.id
  policy = data.aws_iam_policy_document.task.json
}

data "aws_iam_policy_document" "task" {
  statement {
    sid       = "Work"
    actions   = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility"]
    resources = [aws_sqs_queue.jobs.arn]
  }

  statement {
    sid       = "DeadLetter"
    actions   = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.dead.arn]
  }

  statement {
    sid       = "HeartbeatsAndResults"
    actions   = ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"]
    resources = [aws_dynamodb_table.rouse.arn]

    condition {
      test     = "ForAllValues:StringEquals"
      variable = "dynamodb:LeadingKeys"
      values   = ["workload#${var.name}", "result#${var.name}"]
    }
  }

  # The agent's endpoint calls this with the task's role.
  statement {
    sid       = "ProtectTask"
    actions   = ["ecs:UpdateTaskProtection"]
    resources = ["${replace(local.cluster_arn, ":cluster/", ":task/")}/*"]
  }

  dynamic "statement" {
    for_each = var.queue.kms_key_arn[*]

    content {
      sid       = "QueueKey"
      actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
      resources = [statement.value]
    }
  }
}

resource "aws_iam_role" "execution" {
  name                 = "${local.prefix}-execution"
  description          = "ECS, starting Rouse workers of ${var.name}"
  assume_role_policy   = data.aws_iam_policy_document.assume_ecs_tasks.json
  permissions_boundary = var.permissions_boundary_arn
  tags                 = local.tags
}

resource "aws_iam_role_policy" "execution" {
  name   = "start-worker"
  role   = aws_iam_role.execution.id
  policy = data.aws_iam_policy_document.execution.json
}

locals {
  # [account, region, repository] if the image is in ECR, else nothing.
  ecr = try([regex("^([0-9]{12})\\.dkr\\.ecr\\.([a-z0-9-]+)\\.amazonaws\\.com(?:\\.cn)?/([^:@]+)", var.image)], [])

  # A secret's ARN may be followed by :JSON-KEY:STAGE:VERSION, which IAM does not know.
  secret_arns    = [for arn in values(var.worker.secrets) : join(":", slice(split(":", arn), 0, 7)) if strcontains(arn, ":secretsmanager:")]
  parameter_arns = [for arn in values(var.worker.secrets) : arn if strcontains(arn, ":ssm:")]
}

data "aws_iam_policy_document" "execution" {
  statement {
    sid       = "WriteLog"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.worker.arn}:*"]
  }

  dynamic "statement" {
    for_each = local.ecr

    content {
      sid       = "PullImage"
      actions   = ["ecr:BatchCheckLayerAvailability", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"]
      resources = ["arn:${local.partition}:ecr:${statement.value[1]}:${statement.value[0]}:repository/${statement.value[2]}"]
    }
  }

  dynamic "statement" {
    for_each = local.ecr

    content {
      sid       = "LogInToRegistry"
      actions   = ["ecr:GetAuthorizationToken"]
      resources = ["*"] # ECR's token is the account's: the API takes no ARN
    }
  }

  dynamic "statement" {
    for_each = length(local.secret_arns) > 0 ? [local.secret_arns] : []

    content {
      sid       = "ReadSecrets"
      actions   = ["secretsmanager:GetSecretValue"]
      resources = statement.value
    }
  }

  dynamic "statement" {
    for_each = length(local.parameter_arns) > 0 ? [local.parameter_arns] : []

    content {
      sid       = "ReadParameters"
      actions   = ["ssm:GetParameters"]
      resources = statement.value
    }
  }
}
