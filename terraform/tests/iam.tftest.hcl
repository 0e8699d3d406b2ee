# Least privilege, read off the statements.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  queue = {
    kms_key_arn = "arn:aws:kms:eu-west-1:123456789012:key/jobs"
  }
  worker = {
    secrets = {
      TOKEN    = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:token-AbCdEf:value::"
      PASSWORD = "arn:aws:ssm:eu-west-1:123456789012:parameter/jobs/password"
    }
  }
  permissions_boundary_arn = "arn:aws:iam::123456789012:policy/boundary"
}

# The later runs read what this one made.
run "everything" {
  command = apply

  assert {
    condition = alltrue([for role in [aws_iam_role.scaler, aws_iam_role.scheduler, aws_iam_role.task, aws_iam_role.execution] :
      role.permissions_boundary == "arn:aws:iam::123456789012:policy/boundary"
    ])
    error_message = "Every role must have the permissions boundary."
  }
}

run "C42_scaler_has_no_right_to_messages" {
  command = plan

  assert {
    condition = toset(flatten([for s in concat(data.aws_iam_policy_document.scaler.statement, data.aws_iam_policy_document.scaler_workload.statement) : s.actions])) == toset([
      "cloudwatch:GetMetricData",
      "dynamodb:Query", "dynamodb:UpdateItem",
      "ecs:DescribeServices", "ecs:UpdateService",
      "logs:CreateLogStream", "logs:PutLogEvents",
      "sqs:GetQueueAttributes",
    ])
    error_message = "The scaler must have these rights and no others."
  }
  assert {
    condition     = alltrue([for s in data.aws_iam_policy_document.scaler_workload.statement : s.resources == toset([contains(s.actions, "sqs:GetQueueAttributes") ? aws_sqs_queue.jobs.arn : aws_ecs_service.worker.id])])
    error_message = "The scaler must reach this queue and this service only."
  }
  assert {
    condition     = one([for s in data.aws_iam_policy_document.scaler.statement : one(s.condition).values if contains(s.resources, aws_dynamodb_table.rouse.arn)]) == tolist(["workload#*"])
    error_message = "The scaler must not reach the results."
  }
}

run "C42_worker_reaches_its_own_records_only" {
  command = plan

  assert {
    condition = toset(flatten(data.aws_iam_policy_document.task.statement[*].actions)) == toset([
      "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem",
      "ecs:UpdateTaskProtection",
      "kms:Decrypt", "kms:GenerateDataKey",
      "sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:ReceiveMessage", "sqs:SendMessage",
    ])
    error_message = "The worker must have these rights and no others."
  }
  assert {
    condition     = one([for s in data.aws_iam_policy_document.task.statement : toset(one(s.condition).values) if contains(s.resources, aws_dynamodb_table.rouse.arn)]) == toset(["workload#reports", "result#reports"])
    error_message = "The worker must write its own workload's records only."
  }
  assert {
    condition     = anytrue([for s in data.aws_iam_policy_document.task.statement : s.resources == toset(["arn:aws:ecs:eu-west-1:123456789012:task/rouse-reports/*"]) if contains(s.actions, "ecs:UpdateTaskProtection")])
    error_message = "The worker must protect tasks of its cluster only."
  }
}

run "C42_every_resource_is_named" {
  command = plan

  assert {
    condition = toset(flatten([for s in concat(
      data.aws_iam_policy_document.scaler.statement,
      data.aws_iam_policy_document.scaler_workload.statement,
      data.aws_iam_policy_document.scheduler.statement,
      data.aws_iam_policy_document.task.statement,
      data.aws_iam_policy_document.execution.statement,
    ) : s.actions if contains(s.resources, "*")])) == toset(["cloudwatch:GetMetricData", "ecr:GetAuthorizationToken"])
    error_message = "Only the two actions that take no ARN may stand on *."
  }
}

run "C42_only_the_image_and_the_secrets_used" {
  command = plan

  assert {
    condition = toset(flatten([for s in data.aws_iam_policy_document.execution.statement : tolist(s.resources)])) == toset([
      "*", # ecr:GetAuthorizationToken
      "${aws_cloudwatch_log_group.worker.arn}:*",
      "arn:aws:ecr:eu-west-1:123456789012:repository/team/reports",
      "arn:aws:secretsmanager:eu-west-1:123456789012:secret:token-AbCdEf",
      "arn:aws:ssm:eu-west-1:123456789012:parameter/jobs/password",
    ])
    error_message = "Starting a worker must reach its log group, its image and its secrets only."
  }
}
