# The queue, where accepted work waits, and its dead-letter queue.

resource "aws_sqs_queue" "jobs" {
  name                       = local.prefix
  visibility_timeout_seconds = coalesce(var.queue.visibility_timeout_seconds, var.worker.visibility_seconds)
  message_retention_seconds  = var.queue.message_retention_seconds
  delay_seconds              = var.queue.delay_seconds
  max_message_size           = var.queue.max_message_bytes
  receive_wait_time_seconds  = 20

  kms_master_key_id       = var.queue.kms_key_arn
  sqs_managed_sse_enabled = var.queue.kms_key_arn == null ? true : null

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead.arn
    maxReceiveCount     = var.queue.max_receive_count
  })

  tags = local.tags
}

resource "aws_sqs_queue" "dead" {
  name                      = "${local.prefix}-dead"
  message_retention_seconds = var.queue.dlq_retention_seconds
  max_message_size          = var.queue.max_message_bytes

  kms_master_key_id       = var.queue.kms_key_arn
  sqs_managed_sse_enabled = var.queue.kms_key_arn == null ? true : null

  tags = local.tags
}

# Only our queue may use it as its dead-letter queue.
resource "aws_sqs_queue_redrive_allow_policy" "dead" {
  queue_url = aws_sqs_queue.dead.url

  redrive_allow_policy = jsonencode({
    redrivePermission = "byQueue"
    sourceQueueArns   = [aws_sqs_queue.jobs.arn]
  })
}

resource "aws_sqs_queue_policy" "tls_only" {
  for_each = {
    jobs = aws_sqs_queue.jobs
    dead = aws_sqs_queue.dead
  }

  queue_url = each.value.url
  policy    = data.aws_iam_policy_document.tls_only[each.key].json
}

data "aws_iam_policy_document" "tls_only" {
  for_each = {
    jobs = aws_sqs_queue.jobs
    dead = aws_sqs_queue.dead
  }

  statement {
    sid       = "DenyPlainHTTP"
    effect    = "Deny"
    actions   = ["sqs:*"]
    resources = [each.value.arn]

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
