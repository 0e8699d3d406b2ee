data "aws_iam_policy_document" "assume" {
  for_each = toset(["lambda", "scheduler", "ecs-tasks"])
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["${each.key}.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "role" {
  for_each           = data.aws_iam_policy_document.assume
  name               = "fleet-${each.key}"
  assume_role_policy = each.value.json
}

data "aws_iam_policy_document" "invoke" {
  statement {
    actions   = ["lambda:InvokeFunction"]
    resources = [aws_lambda_function.tick.arn]
  }
}

resource "aws_iam_role_policy" "invoke" {
  name   = "invoke"
  role   = aws_iam_role.role["scheduler"].id
  policy = data.aws_iam_policy_document.invoke.json
}

resource "aws_cloudwatch_log_group" "group" {
  for_each          = toset(["/aws/lambda/fleet-tick", "/ecs/fleet"])
  name              = each.key
  retention_in_days = 30
}

resource "aws_lambda_function" "tick" {
  function_name                  = "fleet-tick"
  role                           = aws_iam_role.role["lambda"].arn
  filename                       = var.function_zip
  source_code_hash               = filebase64sha256(var.function_zip)
  handler                        = "bootstrap"
  runtime                        = "provided.al2023"
  architectures                  = [var.architecture]
  timeout                        = 60
  memory_size                    = 128
  reserved_concurrent_executions = 1

  environment {
    variables = { GREETING = "hello" }
  }
  logging_config {
    log_format = "JSON"
    log_group  = aws_cloudwatch_log_group.group["/aws/lambda/fleet-tick"].name
  }
}

resource "aws_scheduler_schedule" "tick" {
  name                = "fleet-tick"
  schedule_expression = "rate(1 minute)"
  state               = "ENABLED"

  flexible_time_window {
    mode = "OFF"
  }
  target {
    arn      = aws_lambda_function.tick.arn
    role_arn = aws_iam_role.role["scheduler"].arn
    input    = jsonencode({ source = "schedule" })
    retry_policy {
      maximum_retry_attempts       = 0
      maximum_event_age_in_seconds = 60
    }
  }
}
