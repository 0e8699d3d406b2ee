locals {
  # One prefix for all that is made here, short enough for every AWS name limit.
  prefix = "rouse-${var.name}"

  # The scaler refuses a service without this tag.
  tags = merge(var.tags, { "rouse:workload" = var.name })

  # Where we are, read off an ARN rather than asked for: no further permission, and right for both versions of the provider.
  arn        = split(":", aws_cloudwatch_log_group.worker.arn)
  partition  = local.arn[1]
  region     = local.arn[3]
  account_id = local.arn[4]
}
