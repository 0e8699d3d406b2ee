# The scaler: a Lambda function, invoked once a minute, that ticks several times
# within each invocation.

locals {
  scaler_zip = coalesce(var.scaler_zip, "${path.module}/../dist/scaler-${var.architecture}.zip")
}

resource "aws_lambda_function" "scaler" {
  function_name = "${local.prefix}-scaler"
  description   = "Sets how many Rouse workers of ${var.name} run"
  role          = aws_iam_role.scaler.arn

  filename         = local.scaler_zip
  source_code_hash = fileexists(local.scaler_zip) ? filebase64sha256(local.scaler_zip) : null
  architectures    = [var.architecture]
  runtime          = "provided.al2023"
  handler          = "bootstrap"
  memory_size      = var.scaler.memory_mb
  timeout          = var.scaler.timeout_seconds

  environment {
    variables = {
      ROUSE_TABLE                   = aws_dynamodb_table.rouse.name
      ROUSE_TICK_SECONDS            = var.scaler.tick_seconds
      ROUSE_DEADLINE_MARGIN_SECONDS = var.scaler.deadline_margin_seconds
      ROUSE_CONCURRENCY             = var.scaler.concurrency
      ROUSE_LEASE_SECONDS           = var.scaler.lease_seconds
      ROUSE_METRIC_NAMESPACE        = var.scaler.metric_namespace
      ROUSE_LOG_LEVEL               = var.scaler.log_level
    }
  }

  tags = local.tags

  depends_on = [aws_cloudwatch_log_group.scaler, aws_iam_role_policy.scaler]

  lifecycle {
    precondition {
      condition     = fileexists(local.scaler_zip)
      error_message = "scaler_zip: ${local.scaler_zip} is not there. Run \"make dist\" at the root of the repository to build it, or set scaler_zip to the path of a released scaler-${var.architecture}.zip."
    }
  }
}

# A tick that failed is not repeated: the next minute's is on its way, and sees more.
resource "aws_lambda_function_event_invoke_config" "scaler" {
  function_name                = aws_lambda_function.scaler.function_name
  maximum_retry_attempts       = 0
  maximum_event_age_in_seconds = 60
}

resource "aws_scheduler_schedule" "scaler" {
  name                = "${local.prefix}-scaler"
  description         = "Invokes the scaler of ${var.name}"
  schedule_expression = "rate(1 minutes)"
  state               = var.scaler.enabled ? "ENABLED" : "DISABLED"

  flexible_time_window {
    mode = "OFF"
  }

  target {
    arn      = aws_lambda_function.scaler.arn
    role_arn = aws_iam_role.scheduler.arn

    retry_policy {
      maximum_retry_attempts       = 0
      maximum_event_age_in_seconds = 60
    }
  }

  # Last to come and first to go. On destroy the schedule stops, then the
  # workload document and the right to UpdateService go, and only then the
  # service: nothing can raise the desired count of a service that is going.
  depends_on = [
    aws_dynamodb_table_item.spec,
    aws_ecs_service.worker,
    aws_iam_role_policy.scaler_workload,
    aws_iam_role_policy.scheduler,
    aws_lambda_function_event_invoke_config.scaler,
  ]
}
