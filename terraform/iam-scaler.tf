# The scaler's roles. It reads how full the queue is and sets a desired count; it
# has no right to any message.

resource "aws_iam_role" "scaler" {
  name                 = "${local.prefix}-scaler"
  description          = "Rouse scaler of ${var.name}"
  assume_role_policy   = data.aws_iam_policy_document.assume_lambda.json
  permissions_boundary = var.permissions_boundary_arn
  tags                 = local.tags
}

data "aws_iam_policy_document" "assume_lambda" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

resource "aws_iam_role_policy" "scaler" {
  name   = "scaler"
  role   = aws_iam_role.scaler.id
  policy = data.aws_iam_policy_document.scaler.json
}

# What it may do whatever the workloads are.
data "aws_iam_policy_document" "scaler" {
  statement {
    sid       = "FindWorkloads"
    actions   = ["dynamodb:Query"]
    resources = ["${aws_dynamodb_table.rouse.arn}/index/specs"]
  }

  statement {
    sid       = "KeepState"
    actions   = ["dynamodb:Query", "dynamodb:UpdateItem"]
    resources = [aws_dynamodb_table.rouse.arn]

    # Not the results.
    condition {
      test     = "ForAllValues:StringLike"
      variable = "dynamodb:LeadingKeys"
      values   = ["workload#*"]
    }
  }

  statement {
    sid       = "ReadMessageAge"
    actions   = ["cloudwatch:GetMetricData"]
    resources = ["*"] # CloudWatch has no resource type for reading metrics: the API takes no ARN
  }

  statement {
    sid       = "WriteLog"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.scaler.arn}:*"]
  }
}

resource "aws_iam_role_policy" "scaler_workload" {
  name   = "workload-${var.name}"
  role   = aws_iam_role.scaler.id
  policy = data.aws_iam_policy_document.scaler_workload.json
}

# What it may do for this workload.
data "aws_iam_policy_document" "scaler_workload" {
  statement {
    sid       = "ReadBacklog"
    actions   = ["sqs:GetQueueAttributes"]
    resources = [aws_sqs_queue.jobs.arn]
  }

  statement {
    sid       = "SetDesiredCount"
    actions   = ["ecs:DescribeServices", "ecs:UpdateService"]
    resources = [aws_ecs_service.worker.id]
  }
}

resource "aws_iam_role" "scheduler" {
  name                 = "${local.prefix}-scheduler"
  description          = "EventBridge Scheduler, invoking the Rouse scaler of ${var.name}"
  assume_role_policy   = data.aws_iam_policy_document.assume_scheduler.json
  permissions_boundary = var.permissions_boundary_arn
  tags                 = local.tags
}

data "aws_iam_policy_document" "assume_scheduler" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["scheduler.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [local.account_id]
    }
  }
}

resource "aws_iam_role_policy" "scheduler" {
  name   = "invoke-scaler"
  role   = aws_iam_role.scheduler.id
  policy = data.aws_iam_policy_document.scheduler.json
}

data "aws_iam_policy_document" "scheduler" {
  statement {
    sid       = "InvokeScaler"
    actions   = ["lambda:InvokeFunction"]
    resources = [aws_lambda_function.scaler.arn]
  }
}
