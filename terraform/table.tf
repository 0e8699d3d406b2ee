# The table that scaler and worker share: the workload document, the scaler's
# state, the operator's override, heartbeats and results. Its keys and the names
# of its attributes are those of internal/workload.

resource "aws_dynamodb_table" "rouse" {
  name         = local.prefix
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

  # Sparse: only workload documents carry its keys, so finding them reads nothing else.
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

  # Encrypted at rest with the key that DynamoDB owns, as every table is unless
  # told otherwise: no key to pay for, and no call to KMS.

  tags = local.tags
}

# The workload document. Its presence is what makes the scaler look after the
# service; it goes before the service does.
resource "aws_dynamodb_table_item" "spec" {
  table_name = aws_dynamodb_table.rouse.name
  hash_key   = aws_dynamodb_table.rouse.hash_key
  range_key  = aws_dynamodb_table.rouse.range_key

  item = jsonencode({
    pk       = { S = "workload#${var.name}" }
    sk       = { S = "spec" }
    kind     = { S = "spec" }
    workload = { S = var.name }
    document = { S = jsonencode(local.document) }
  })
}

locals {
  document = {
    version        = 1
    name           = var.name
    queue_url      = aws_sqs_queue.jobs.url
    dlq_url        = aws_sqs_queue.dead.url
    cluster        = local.cluster_arn
    service        = aws_ecs_service.worker.name
    slots_per_task = var.worker.pool_size
    policy         = local.policy
  }

  # The one setting that is either a number or a word: jsondecode gives each its own type.
  policy = merge(var.policy, {
    backlog_per_task = jsondecode(var.policy.backlog_per_task == "auto" ? "\"auto\"" : var.policy.backlog_per_task)
  })

  # The scaler's floor at no particular hour: where a new service starts.
  floor = var.policy.scale_to_zero ? var.policy.min_tasks : max(1, var.policy.min_tasks)
}
