variable "worker" {
  description = <<-EOT
    The worker's task and the settings of its runtime.
    - cpu (CPU units), memory_mb, architecture (of the image: x86_64 or arm64): the Fargate task.
    - command, entry_point: null is the image's own. environment; secrets: names to ARNs in Secrets Manager or Parameter Store.
    - user, readonly_root_filesystem: the container runs as nobody and cannot write to its image.
    - stop_timeout_seconds: the time ECS gives a task between SIGTERM and SIGKILL. drain_seconds of it are for running jobs.
    - pool_size: the jobs one task works on at once; buffer_size and wait_seconds: of the claim loop.
    - visibility_seconds: the lease on a message, renewed every third of it. job_timeout_seconds: the hard limit on one job.
    - retry_base_seconds, retry_max_seconds: the delay before a failed message is tried again, doubled each time.
    - ready: what must answer before anything is claimed: tcp (host:port) and http (URLs).
    - heartbeat_seconds, stall_seconds, result_ttl_seconds (0 keeps no results), http_address ("" serves nothing), log_level.
    - health_check: of the container. An empty command leaves it out, and suits an image whose binary is not /worker.
  EOT
  type = object({
    cpu                      = optional(number, 256)
    memory_mb                = optional(number, 512)
    architecture             = optional(string, "x86_64")
    command                  = optional(list(string))
    entry_point              = optional(list(string))
    environment              = optional(map(string), {})
    secrets                  = optional(map(string), {})
    user                     = optional(string, "65532:65532")
    readonly_root_filesystem = optional(bool, true)
    stop_timeout_seconds     = optional(number, 120)
    drain_seconds            = optional(number, 90)
    pool_size                = optional(number, 1)
    buffer_size              = optional(number, 100)
    wait_seconds             = optional(number, 20)
    visibility_seconds       = optional(number, 60)
    job_timeout_seconds      = optional(number, 3600)
    retry_base_seconds       = optional(number, 10)
    retry_max_seconds        = optional(number, 900)
    ready = optional(object({
      tcp              = optional(list(string), [])
      http             = optional(list(string), [])
      timeout_seconds  = optional(number, 300)
      interval_seconds = optional(number, 5)
    }), {})
    heartbeat_seconds  = optional(number, 10)
    stall_seconds      = optional(number, 120)
    result_ttl_seconds = optional(number, 0)
    http_address       = optional(string, ":8080")
    log_level          = optional(string, "info")
    log_retention_days = optional(number, 30)
    health_check = optional(object({
      command              = optional(list(string), ["CMD", "/worker", "healthcheck"])
      interval_seconds     = optional(number, 10)
      timeout_seconds      = optional(number, 5)
      retries              = optional(number, 3)
      start_period_seconds = optional(number, 30)
    }), {})
  })
  default  = {}
  nullable = false

  validation {
    condition = contains(lookup({
      256   = [512, 1024, 2048]
      512   = range(1024, 4097, 1024)
      1024  = range(2048, 8193, 1024)
      2048  = range(4096, 16385, 1024)
      4096  = range(8192, 30721, 1024)
      8192  = range(16384, 61441, 4096)
      16384 = range(32768, 122881, 8192)
    }, var.worker.cpu, []), var.worker.memory_mb)
    error_message = "worker.cpu and worker.memory_mb: are ${var.worker.cpu} and ${var.worker.memory_mb}, must be a pair that Fargate offers: 256 with 512, 1024 or 2048; 512 with 1024-4096, 1024 with 2048-8192, 2048 with 4096-16384 and 4096 with 8192-30720 in steps of 1024; 8192 with 16384-61440 in steps of 4096; 16384 with 32768-122880 in steps of 8192."
  }
  validation {
    condition     = contains(["arm64", "x86_64"], var.worker.architecture)
    error_message = "worker.architecture: is \"${var.worker.architecture}\", must be \"arm64\" or \"x86_64\"."
  }
  validation {
    condition     = length([for k in keys(var.worker.environment) : k if !can(regex("^[A-Za-z_][A-Za-z0-9_]*$", k)) || can(regex("^(ROUSE|WORKER)_", k))]) == 0
    error_message = "worker.environment: has the names ${jsonencode(keys(var.worker.environment))}, must be names of A-Z, a-z, 0-9 and _ that start with neither ROUSE_ nor WORKER_: set worker.pool_size, worker.ready and so on instead."
  }
  validation {
    condition     = length([for k in keys(var.worker.secrets) : k if !can(regex("^[A-Za-z_][A-Za-z0-9_]*$", k)) || can(regex("^(ROUSE|WORKER)_", k)) || contains(keys(var.worker.environment), k)]) == 0
    error_message = "worker.secrets: has the names ${jsonencode(keys(var.worker.secrets))}, must be names of A-Z, a-z, 0-9 and _ that start with neither ROUSE_ nor WORKER_ and do not stand in worker.environment too."
  }
  validation {
    condition     = alltrue([for arn in values(var.worker.secrets) : can(regex("^arn:[^:]+:(secretsmanager:[^:]+:[0-9]+:secret:|ssm:[^:]+:[0-9]+:parameter/).", arn))])
    error_message = "worker.secrets: has the values ${jsonencode(values(var.worker.secrets))}, must each be the ARN of a Secrets Manager secret or of a Parameter Store parameter."
  }
  validation {
    condition     = floor(var.worker.stop_timeout_seconds) == var.worker.stop_timeout_seconds && var.worker.stop_timeout_seconds >= 2 && var.worker.stop_timeout_seconds <= 120
    error_message = "worker.stop_timeout_seconds: is ${var.worker.stop_timeout_seconds}, must be a whole number from 2 to 120, the most that Fargate waits."
  }
  validation {
    condition     = floor(var.worker.drain_seconds) == var.worker.drain_seconds && var.worker.drain_seconds >= 1 && var.worker.drain_seconds <= 110
    error_message = "worker.drain_seconds: is ${var.worker.drain_seconds}, must be a whole number from 1 to 110."
  }
  validation {
    condition     = var.worker.drain_seconds + 10 <= var.worker.stop_timeout_seconds
    error_message = "worker.drain_seconds: is ${var.worker.drain_seconds}, must be at least 10 less than stop_timeout_seconds, which is ${var.worker.stop_timeout_seconds}: the worker gives unfinished messages back in that time, before SIGKILL. Lower drain_seconds or raise stop_timeout_seconds, up to 120."
  }
  validation {
    condition     = floor(var.worker.pool_size) == var.worker.pool_size && var.worker.pool_size >= 1 && var.worker.pool_size <= 1000
    error_message = "worker.pool_size: is ${var.worker.pool_size}, must be a whole number from 1 to 1000."
  }
  validation {
    condition     = floor(var.worker.buffer_size) == var.worker.buffer_size && var.worker.buffer_size >= 1 && var.worker.buffer_size <= 10000
    error_message = "worker.buffer_size: is ${var.worker.buffer_size}, must be a whole number from 1 to 10000."
  }
  validation {
    condition     = floor(var.worker.wait_seconds) == var.worker.wait_seconds && var.worker.wait_seconds >= 0 && var.worker.wait_seconds <= 20
    error_message = "worker.wait_seconds: is ${var.worker.wait_seconds}, must be a whole number from 0 to 20."
  }
  validation {
    condition     = floor(var.worker.visibility_seconds) == var.worker.visibility_seconds && var.worker.visibility_seconds >= 5 && var.worker.visibility_seconds <= 43200
    error_message = "worker.visibility_seconds: is ${var.worker.visibility_seconds}, must be a whole number from 5 to 43200."
  }
  validation {
    condition     = floor(var.worker.job_timeout_seconds) == var.worker.job_timeout_seconds && var.worker.job_timeout_seconds >= 1 && var.worker.job_timeout_seconds <= 43200
    error_message = "worker.job_timeout_seconds: is ${var.worker.job_timeout_seconds}, must be a whole number from 1 to 43200."
  }
  validation {
    condition     = floor(var.worker.retry_base_seconds) == var.worker.retry_base_seconds && var.worker.retry_base_seconds >= 0 && var.worker.retry_base_seconds <= 43200
    error_message = "worker.retry_base_seconds: is ${var.worker.retry_base_seconds}, must be a whole number from 0 to 43200."
  }
  validation {
    condition     = floor(var.worker.retry_max_seconds) == var.worker.retry_max_seconds && var.worker.retry_max_seconds >= 0 && var.worker.retry_max_seconds <= 43200
    error_message = "worker.retry_max_seconds: is ${var.worker.retry_max_seconds}, must be a whole number from 0 to 43200."
  }
  validation {
    condition     = var.worker.retry_base_seconds <= var.worker.retry_max_seconds
    error_message = "worker.retry_base_seconds: is ${var.worker.retry_base_seconds}, must be at most retry_max_seconds, which is ${var.worker.retry_max_seconds}."
  }
  validation {
    condition     = alltrue([for address in var.worker.ready.tcp : can(regex("^[^,[:space:]]+:[0-9]{1,5}$", address))])
    error_message = "worker.ready.tcp: is ${jsonencode(var.worker.ready.tcp)}, must list addresses as host:port."
  }
  validation {
    condition     = alltrue([for url in var.worker.ready.http : can(regex("^https?://[^,[:space:]]+$", url))])
    error_message = "worker.ready.http: is ${jsonencode(var.worker.ready.http)}, must list http or https URLs without commas."
  }
  validation {
    condition     = floor(var.worker.ready.timeout_seconds) == var.worker.ready.timeout_seconds && var.worker.ready.timeout_seconds >= 1 && var.worker.ready.timeout_seconds <= 3600
    error_message = "worker.ready.timeout_seconds: is ${var.worker.ready.timeout_seconds}, must be a whole number from 1 to 3600."
  }
  validation {
    condition     = floor(var.worker.ready.interval_seconds) == var.worker.ready.interval_seconds && var.worker.ready.interval_seconds >= 1 && var.worker.ready.interval_seconds <= 300
    error_message = "worker.ready.interval_seconds: is ${var.worker.ready.interval_seconds}, must be a whole number from 1 to 300."
  }
  validation {
    condition     = floor(var.worker.heartbeat_seconds) == var.worker.heartbeat_seconds && var.worker.heartbeat_seconds >= 1 && var.worker.heartbeat_seconds <= 60
    error_message = "worker.heartbeat_seconds: is ${var.worker.heartbeat_seconds}, must be a whole number from 1 to 60."
  }
  validation {
    condition     = floor(var.worker.stall_seconds) == var.worker.stall_seconds && var.worker.stall_seconds >= 30 && var.worker.stall_seconds <= 3600
    error_message = "worker.stall_seconds: is ${var.worker.stall_seconds}, must be a whole number from 30 to 3600."
  }
  validation {
    condition     = var.worker.result_ttl_seconds == 0 || (floor(var.worker.result_ttl_seconds) == var.worker.result_ttl_seconds && var.worker.result_ttl_seconds >= 60 && var.worker.result_ttl_seconds <= 31536000)
    error_message = "worker.result_ttl_seconds: is ${var.worker.result_ttl_seconds}, must be 0 (no results are kept) or a whole number from 60 to 31536000."
  }
  validation {
    condition     = can(regex("^([^[:space:]]*:[0-9]{1,5})?$", var.worker.http_address))
    error_message = "worker.http_address: is \"${var.worker.http_address}\", must be [host]:port, or empty to serve nothing."
  }
  validation {
    condition     = contains(["debug", "info", "warn", "error"], var.worker.log_level)
    error_message = "worker.log_level: is \"${var.worker.log_level}\", must be \"debug\", \"info\", \"warn\" or \"error\"."
  }
  validation {
    condition     = contains([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653], var.worker.log_retention_days)
    error_message = "worker.log_retention_days: is ${var.worker.log_retention_days}, must be one that CloudWatch Logs offers: 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288 or 3653."
  }
  validation {
    condition     = length(var.worker.health_check.command) == 0 || contains(["CMD", "CMD-SHELL"], try(var.worker.health_check.command[0], ""))
    error_message = "worker.health_check.command: is ${jsonencode(var.worker.health_check.command)}, must start with CMD or CMD-SHELL, or be empty for no health check."
  }
  validation {
    condition     = floor(var.worker.health_check.interval_seconds) == var.worker.health_check.interval_seconds && var.worker.health_check.interval_seconds >= 5 && var.worker.health_check.interval_seconds <= 300
    error_message = "worker.health_check.interval_seconds: is ${var.worker.health_check.interval_seconds}, must be a whole number from 5 to 300."
  }
  validation {
    condition     = floor(var.worker.health_check.timeout_seconds) == var.worker.health_check.timeout_seconds && var.worker.health_check.timeout_seconds >= 2 && var.worker.health_check.timeout_seconds <= 60
    error_message = "worker.health_check.timeout_seconds: is ${var.worker.health_check.timeout_seconds}, must be a whole number from 2 to 60."
  }
  validation {
    condition     = floor(var.worker.health_check.retries) == var.worker.health_check.retries && var.worker.health_check.retries >= 1 && var.worker.health_check.retries <= 10
    error_message = "worker.health_check.retries: is ${var.worker.health_check.retries}, must be a whole number from 1 to 10."
  }
  validation {
    condition     = floor(var.worker.health_check.start_period_seconds) == var.worker.health_check.start_period_seconds && var.worker.health_check.start_period_seconds >= 0 && var.worker.health_check.start_period_seconds <= 300
    error_message = "worker.health_check.start_period_seconds: is ${var.worker.health_check.start_period_seconds}, must be a whole number from 0 to 300."
  }
  validation {
    condition     = var.worker.http_address != "" || length(var.worker.health_check.command) == 0
    error_message = "worker.http_address: is empty, must be [host]:port while there is a health_check, which asks it; set health_check = { command = [] } if nothing is to be served."
  }
}
