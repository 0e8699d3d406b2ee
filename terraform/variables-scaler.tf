variable "architecture" {
  description = "Architecture of the scaler's Lambda function: arm64 or x86_64."
  type        = string
  default     = "arm64"
  nullable    = false

  validation {
    condition     = contains(["arm64", "x86_64"], var.architecture)
    error_message = "architecture: is \"${var.architecture}\", must be \"arm64\" or \"x86_64\"."
  }
}

variable "scaler_zip" {
  description = "Path of the scaler's zip, which holds the one file bootstrap. Null is dist/scaler-ARCHITECTURE.zip at the root of this repository, where make dist puts it."
  type        = string
  default     = null
}

variable "scaler" {
  description = <<-EOT
    The scaler's Lambda function, invoked once a minute.
    - tick_seconds: how often it looks at the queue within one invocation, and so how soon it wakes a service at zero. The
      function sleeps in between and that time is billed; 60 is one short tick a minute.
    - deadline_margin_seconds: how long before its timeout an invocation stops ticking.
    - timeout_seconds: the function's timeout. More than 60 would let invocations overlap.
    - concurrency, lease_seconds: how many workloads one tick handles at once, and how long the lease on a workload lasts.
    - metric_namespace: the CloudWatch namespace of the scaler's metrics.
    - memory_mb, log_level, log_retention_days: of the function; enabled = false stops the schedule.
  EOT
  type = object({
    enabled                 = optional(bool, true)
    tick_seconds            = optional(number, 10)
    deadline_margin_seconds = optional(number, 2)
    timeout_seconds         = optional(number, 60)
    concurrency             = optional(number, 16)
    lease_seconds           = optional(number, 30)
    metric_namespace        = optional(string, "Rouse")
    memory_mb               = optional(number, 128)
    log_level               = optional(string, "info")
    log_retention_days      = optional(number, 30)
  })
  default  = {}
  nullable = false

  validation {
    condition     = floor(var.scaler.tick_seconds) == var.scaler.tick_seconds && var.scaler.tick_seconds >= 1 && var.scaler.tick_seconds <= 60
    error_message = "scaler.tick_seconds: is ${var.scaler.tick_seconds}, must be a whole number from 1 to 60."
  }
  validation {
    condition     = floor(var.scaler.deadline_margin_seconds) == var.scaler.deadline_margin_seconds && var.scaler.deadline_margin_seconds >= 1 && var.scaler.deadline_margin_seconds <= 30
    error_message = "scaler.deadline_margin_seconds: is ${var.scaler.deadline_margin_seconds}, must be a whole number from 1 to 30."
  }
  validation {
    condition     = floor(var.scaler.timeout_seconds) == var.scaler.timeout_seconds && var.scaler.timeout_seconds >= 5 && var.scaler.timeout_seconds <= 60
    error_message = "scaler.timeout_seconds: is ${var.scaler.timeout_seconds}, must be a whole number from 5 to 60, the minute between two invocations."
  }
  validation {
    condition     = var.scaler.deadline_margin_seconds < var.scaler.timeout_seconds
    error_message = "scaler.deadline_margin_seconds: is ${var.scaler.deadline_margin_seconds}, must be less than timeout_seconds, which is ${var.scaler.timeout_seconds}."
  }
  validation {
    condition     = floor(var.scaler.concurrency) == var.scaler.concurrency && var.scaler.concurrency >= 1 && var.scaler.concurrency <= 256
    error_message = "scaler.concurrency: is ${var.scaler.concurrency}, must be a whole number from 1 to 256."
  }
  validation {
    condition     = floor(var.scaler.lease_seconds) == var.scaler.lease_seconds && var.scaler.lease_seconds >= 5 && var.scaler.lease_seconds <= 300
    error_message = "scaler.lease_seconds: is ${var.scaler.lease_seconds}, must be a whole number from 5 to 300."
  }
  validation {
    condition     = can(regex("^[A-Za-z0-9._/#:-]{1,255}$", var.scaler.metric_namespace)) && !startswith(var.scaler.metric_namespace, "AWS/")
    error_message = "scaler.metric_namespace: is \"${var.scaler.metric_namespace}\", must be 1 to 255 characters of A-Z, a-z, 0-9 and . _ / # : -, not starting with AWS/."
  }
  validation {
    condition     = floor(var.scaler.memory_mb) == var.scaler.memory_mb && var.scaler.memory_mb >= 128 && var.scaler.memory_mb <= 10240
    error_message = "scaler.memory_mb: is ${var.scaler.memory_mb}, must be a whole number from 128 to 10240."
  }
  validation {
    condition     = contains(["debug", "info", "warn", "error"], var.scaler.log_level)
    error_message = "scaler.log_level: is \"${var.scaler.log_level}\", must be \"debug\", \"info\", \"warn\" or \"error\"."
  }
  validation {
    condition     = contains([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653], var.scaler.log_retention_days)
    error_message = "scaler.log_retention_days: is ${var.scaler.log_retention_days}, must be one that CloudWatch Logs offers: 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288 or 3653."
  }
}
