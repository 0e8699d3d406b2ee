variable "queue" {
  description = <<-EOT
    The queue and its dead-letter queue.
    - visibility_timeout_seconds: how long a message stays hidden once received, for a consumer that does not say. Null is
      worker.visibility_seconds; the worker says so itself on each receive.
    - message_retention_seconds, dlq_retention_seconds: how long messages are kept. A message keeps the time it was first
      sent when it moves to the dead-letter queue, so the second must be the longer one.
    - max_receive_count: after how many receives a message moves to the dead-letter queue. allow_low_receive_count permits 1 and 2.
    - delay_seconds: how long each message is hidden at first.
    - max_message_bytes: the largest message taken. Above 262144 needs version 6 of the AWS provider.
    - kms_key_arn: a KMS key of your own; null encrypts with the key that SQS manages, which costs nothing.
  EOT
  type = object({
    visibility_timeout_seconds = optional(number)
    message_retention_seconds  = optional(number, 345600)
    dlq_retention_seconds      = optional(number, 1209600)
    max_receive_count          = optional(number, 5)
    allow_low_receive_count    = optional(bool, false)
    delay_seconds              = optional(number, 0)
    max_message_bytes          = optional(number, 262144)
    kms_key_arn                = optional(string)
  })
  default  = {}
  nullable = false

  validation {
    condition     = floor(coalesce(var.queue.visibility_timeout_seconds, 5)) == coalesce(var.queue.visibility_timeout_seconds, 5) && coalesce(var.queue.visibility_timeout_seconds, 5) >= 5 && coalesce(var.queue.visibility_timeout_seconds, 5) <= 43200
    error_message = "queue.visibility_timeout_seconds: is ${coalesce(var.queue.visibility_timeout_seconds, 0)}, must be a whole number from 5 to 43200, or null for worker.visibility_seconds."
  }
  validation {
    condition     = floor(var.queue.message_retention_seconds) == var.queue.message_retention_seconds && var.queue.message_retention_seconds >= 60 && var.queue.message_retention_seconds <= 1209600
    error_message = "queue.message_retention_seconds: is ${var.queue.message_retention_seconds}, must be a whole number from 60 to 1209600 (14 days)."
  }
  validation {
    condition     = floor(var.queue.dlq_retention_seconds) == var.queue.dlq_retention_seconds && var.queue.dlq_retention_seconds >= 60 && var.queue.dlq_retention_seconds <= 1209600
    error_message = "queue.dlq_retention_seconds: is ${var.queue.dlq_retention_seconds}, must be a whole number from 60 to 1209600 (14 days)."
  }
  validation {
    condition     = var.queue.dlq_retention_seconds > var.queue.message_retention_seconds
    error_message = "queue.dlq_retention_seconds: is ${var.queue.dlq_retention_seconds}, must be more than message_retention_seconds, which is ${var.queue.message_retention_seconds}: a message keeps its age when it moves, so an old one would be deleted at once. Raise dlq_retention_seconds or lower message_retention_seconds."
  }
  validation {
    condition     = floor(var.queue.max_receive_count) == var.queue.max_receive_count && var.queue.max_receive_count >= 1 && var.queue.max_receive_count <= 1000
    error_message = "queue.max_receive_count: is ${var.queue.max_receive_count}, must be a whole number from 1 to 1000."
  }
  validation {
    condition     = var.queue.max_receive_count >= 3 || var.queue.allow_low_receive_count
    error_message = "queue.max_receive_count: is ${var.queue.max_receive_count}, must be at least 3: a task that is stopped gives its messages back, which uses up a receive, and healthy work would be dead-lettered. Set allow_low_receive_count = true if you want it all the same."
  }
  validation {
    condition     = floor(var.queue.delay_seconds) == var.queue.delay_seconds && var.queue.delay_seconds >= 0 && var.queue.delay_seconds <= 900
    error_message = "queue.delay_seconds: is ${var.queue.delay_seconds}, must be a whole number from 0 to 900."
  }
  validation {
    condition     = floor(var.queue.max_message_bytes) == var.queue.max_message_bytes && var.queue.max_message_bytes >= 1024 && var.queue.max_message_bytes <= 1048576
    error_message = "queue.max_message_bytes: is ${var.queue.max_message_bytes}, must be a whole number from 1024 to 1048576."
  }
  validation {
    condition     = var.queue.kms_key_arn == null || can(regex("^arn:[^:]+:kms:[^:]+:[0-9]+:key/", var.queue.kms_key_arn))
    error_message = "queue.kms_key_arn: is \"${coalesce(var.queue.kms_key_arn, "null")}\", must be the ARN of a KMS key (an alias cannot stand in the roles' policies), or null."
  }
}
