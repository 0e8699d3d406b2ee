# Log groups, made here so that they have a retention and go with the rest.

resource "aws_cloudwatch_log_group" "scaler" {
  name              = "/aws/lambda/${local.prefix}-scaler"
  retention_in_days = var.scaler.log_retention_days
  tags              = local.tags
}

resource "aws_cloudwatch_log_group" "worker" {
  name              = "/rouse/${var.name}/worker"
  retention_in_days = var.worker.log_retention_days
  tags              = local.tags
}
