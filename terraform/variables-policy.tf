# The keys, defaults and ranges are those of the scaler's code (internal/policy/settings.go).
variable "policy" {
  description = <<-EOT
    How the scaler sets the number of tasks. Every setting has a default.
    - scale_to_zero: the opt-in to a floor of zero. Without it the floor is max(1, min_tasks).
    - target_age_seconds: how long a message may wait. backlog_per_task: messages per task, or "auto".
    - schedules: floors and ceilings (0 is none) at known hours; days of mon … sun, none meaning every day.
  EOT
  type = object({
    scale_to_zero           = optional(bool, false)
    min_tasks               = optional(number, 0)
    max_tasks               = optional(number, 10)
    target_age_seconds      = optional(number, 60)
    backlog_per_task        = optional(string, "10")
    activation_backlog      = optional(number, 1)
    wake_limit              = optional(number, 0)
    wake_confirmations      = optional(number, 1)
    ewma_alpha              = optional(number, 0.3)
    hysteresis              = optional(number, 0.1)
    step_up                 = optional(number, 10)
    step_down               = optional(number, 5)
    kp                      = optional(number, 1)
    ki                      = optional(number, 0.1)
    cooldown_up_seconds     = optional(number, 30)
    cooldown_down_seconds   = optional(number, 60)
    backoff_factor          = optional(number, 1)
    backoff_max_multiplier  = optional(number, 8)
    backoff_reset_seconds   = optional(number, 0)
    idle_window_seconds     = optional(number, 60)
    idle_confirmations      = optional(number, 2)
    warmup_seconds          = optional(number, 60)
    delayed                 = optional(string, "hold")
    prewake_lead_seconds    = optional(number, 60)
    brake_after_starts      = optional(number, 3)
    brake_retry_seconds     = optional(number, 60)
    brake_retry_max_seconds = optional(number, 3600)
    stalled_after_seconds   = optional(number, 900)
    paused                  = optional(bool, false)
    schedules = optional(list(object({
      days     = optional(list(string), [])
      start    = string
      end      = string
      timezone = optional(string, "UTC")
      floor    = optional(number, 0)
      ceiling  = optional(number, 0)
    })), [])
  })
  default  = {}
  nullable = false

  validation {
    condition     = floor(var.policy.min_tasks) == var.policy.min_tasks && var.policy.min_tasks >= 0 && var.policy.min_tasks <= 5000
    error_message = "policy.min_tasks: is ${var.policy.min_tasks}, must be a whole number from 0 to 5000."
  }
  validation {
    condition     = floor(var.policy.max_tasks) == var.policy.max_tasks && var.policy.max_tasks >= 1 && var.policy.max_tasks <= 5000
    error_message = "policy.max_tasks: is ${var.policy.max_tasks}, must be a whole number from 1 to 5000."
  }
  validation {
    condition     = floor(var.policy.target_age_seconds) == var.policy.target_age_seconds && var.policy.target_age_seconds >= 1 && var.policy.target_age_seconds <= 86400
    error_message = "policy.target_age_seconds: is ${var.policy.target_age_seconds}, must be a whole number from 1 to 86400."
  }
  validation {
    condition     = var.policy.backlog_per_task == "auto" || try(tonumber(var.policy.backlog_per_task) > 0 && tonumber(var.policy.backlog_per_task) <= 1000000, false)
    error_message = "policy.backlog_per_task: is ${var.policy.backlog_per_task}, must be a number above 0 and up to 1000000, or \"auto\"."
  }
  validation {
    condition     = floor(var.policy.activation_backlog) == var.policy.activation_backlog && var.policy.activation_backlog >= 1 && var.policy.activation_backlog <= 1000000
    error_message = "policy.activation_backlog: is ${var.policy.activation_backlog}, must be a whole number from 1 to 1000000."
  }
  validation {
    condition     = floor(var.policy.wake_limit) == var.policy.wake_limit && var.policy.wake_limit >= 0 && var.policy.wake_limit <= 5000
    error_message = "policy.wake_limit: is ${var.policy.wake_limit}, must be a whole number from 0 to 5000."
  }
  validation {
    condition     = floor(var.policy.wake_confirmations) == var.policy.wake_confirmations && var.policy.wake_confirmations >= 1 && var.policy.wake_confirmations <= 10
    error_message = "policy.wake_confirmations: is ${var.policy.wake_confirmations}, must be a whole number from 1 to 10."
  }
  validation {
    condition     = var.policy.ewma_alpha > 0 && var.policy.ewma_alpha <= 1
    error_message = "policy.ewma_alpha: is ${var.policy.ewma_alpha}, must be above 0 and up to 1."
  }
  validation {
    condition     = var.policy.hysteresis >= 0 && var.policy.hysteresis < 1
    error_message = "policy.hysteresis: is ${var.policy.hysteresis}, must be 0 or more and below 1."
  }
  validation {
    condition     = floor(var.policy.step_up) == var.policy.step_up && var.policy.step_up >= 1 && var.policy.step_up <= 5000
    error_message = "policy.step_up: is ${var.policy.step_up}, must be a whole number from 1 to 5000."
  }
  validation {
    condition     = floor(var.policy.step_down) == var.policy.step_down && var.policy.step_down >= 1 && var.policy.step_down <= 5000
    error_message = "policy.step_down: is ${var.policy.step_down}, must be a whole number from 1 to 5000."
  }
  validation {
    condition     = var.policy.kp >= 0 && var.policy.kp <= 100
    error_message = "policy.kp: is ${var.policy.kp}, must be a number from 0 to 100."
  }
  validation {
    condition     = var.policy.ki >= 0 && var.policy.ki <= 100
    error_message = "policy.ki: is ${var.policy.ki}, must be a number from 0 to 100."
  }
  validation {
    condition     = floor(var.policy.cooldown_up_seconds) == var.policy.cooldown_up_seconds && var.policy.cooldown_up_seconds >= 0 && var.policy.cooldown_up_seconds <= 86400
    error_message = "policy.cooldown_up_seconds: is ${var.policy.cooldown_up_seconds}, must be a whole number from 0 to 86400."
  }
  validation {
    condition     = floor(var.policy.cooldown_down_seconds) == var.policy.cooldown_down_seconds && var.policy.cooldown_down_seconds >= 0 && var.policy.cooldown_down_seconds <= 86400
    error_message = "policy.cooldown_down_seconds: is ${var.policy.cooldown_down_seconds}, must be a whole number from 0 to 86400."
  }
  validation {
    condition     = var.policy.backoff_factor >= 1 && var.policy.backoff_factor <= 10
    error_message = "policy.backoff_factor: is ${var.policy.backoff_factor}, must be a number from 1 to 10."
  }
  validation {
    condition     = var.policy.backoff_max_multiplier >= 1 && var.policy.backoff_max_multiplier <= 100
    error_message = "policy.backoff_max_multiplier: is ${var.policy.backoff_max_multiplier}, must be a number from 1 to 100."
  }
  validation {
    condition     = floor(var.policy.backoff_reset_seconds) == var.policy.backoff_reset_seconds && var.policy.backoff_reset_seconds >= 0 && var.policy.backoff_reset_seconds <= 86400
    error_message = "policy.backoff_reset_seconds: is ${var.policy.backoff_reset_seconds}, must be a whole number from 0 to 86400."
  }
  validation {
    condition     = floor(var.policy.idle_window_seconds) == var.policy.idle_window_seconds && var.policy.idle_window_seconds >= 0 && var.policy.idle_window_seconds <= 86400
    error_message = "policy.idle_window_seconds: is ${var.policy.idle_window_seconds}, must be a whole number from 0 to 86400."
  }
  validation {
    condition     = floor(var.policy.idle_confirmations) == var.policy.idle_confirmations && var.policy.idle_confirmations >= 1 && var.policy.idle_confirmations <= 10
    error_message = "policy.idle_confirmations: is ${var.policy.idle_confirmations}, must be a whole number from 1 to 10."
  }
  validation {
    condition     = floor(var.policy.warmup_seconds) == var.policy.warmup_seconds && var.policy.warmup_seconds >= 0 && var.policy.warmup_seconds <= 3600
    error_message = "policy.warmup_seconds: is ${var.policy.warmup_seconds}, must be a whole number from 0 to 3600."
  }
  validation {
    condition     = contains(["hold", "prewake", "ignore"], var.policy.delayed)
    error_message = "policy.delayed: is \"${var.policy.delayed}\", must be \"hold\", \"prewake\" or \"ignore\"."
  }
  validation {
    condition     = floor(var.policy.prewake_lead_seconds) == var.policy.prewake_lead_seconds && var.policy.prewake_lead_seconds >= 0 && var.policy.prewake_lead_seconds <= 900
    error_message = "policy.prewake_lead_seconds: is ${var.policy.prewake_lead_seconds}, must be a whole number from 0 to 900."
  }
  validation {
    condition     = floor(var.policy.brake_after_starts) == var.policy.brake_after_starts && var.policy.brake_after_starts >= 1 && var.policy.brake_after_starts <= 100
    error_message = "policy.brake_after_starts: is ${var.policy.brake_after_starts}, must be a whole number from 1 to 100."
  }
  validation {
    condition     = floor(var.policy.brake_retry_seconds) == var.policy.brake_retry_seconds && var.policy.brake_retry_seconds >= 1 && var.policy.brake_retry_seconds <= 86400
    error_message = "policy.brake_retry_seconds: is ${var.policy.brake_retry_seconds}, must be a whole number from 1 to 86400."
  }
  validation {
    condition     = floor(var.policy.brake_retry_max_seconds) == var.policy.brake_retry_max_seconds && var.policy.brake_retry_max_seconds >= 1 && var.policy.brake_retry_max_seconds <= 86400
    error_message = "policy.brake_retry_max_seconds: is ${var.policy.brake_retry_max_seconds}, must be a whole number from 1 to 86400."
  }
  validation {
    condition     = floor(var.policy.stalled_after_seconds) == var.policy.stalled_after_seconds && var.policy.stalled_after_seconds >= 60 && var.policy.stalled_after_seconds <= 86400
    error_message = "policy.stalled_after_seconds: is ${var.policy.stalled_after_seconds}, must be a whole number from 60 to 86400."
  }
  validation {
    condition     = var.policy.min_tasks <= var.policy.max_tasks
    error_message = "policy.min_tasks: is ${var.policy.min_tasks}, must be at most max_tasks, which is ${var.policy.max_tasks}."
  }
  validation {
    condition     = var.policy.wake_limit <= var.policy.max_tasks
    error_message = "policy.wake_limit: is ${var.policy.wake_limit}, must be at most max_tasks, which is ${var.policy.max_tasks}."
  }
  validation {
    condition     = var.policy.brake_retry_seconds <= var.policy.brake_retry_max_seconds
    error_message = "policy.brake_retry_seconds: is ${var.policy.brake_retry_seconds}, must be at most brake_retry_max_seconds, which is ${var.policy.brake_retry_max_seconds}."
  }
  validation {
    condition     = length(var.policy.schedules) <= 50
    error_message = "policy.schedules: lists ${length(var.policy.schedules)}, must be a list of at most 50 schedules."
  }
  validation {
    condition     = length(setsubtract(flatten(var.policy.schedules[*].days), ["sun", "mon", "tue", "wed", "thu", "fri", "sat"])) == 0
    error_message = "policy.schedules: has the days ${jsonencode(distinct(flatten(var.policy.schedules[*].days)))}, must be among sun, mon, tue, wed, thu, fri, sat."
  }
  validation {
    condition     = alltrue([for t in concat(var.policy.schedules[*].start, var.policy.schedules[*].end) : can(regex("^([01][0-9]|2[0-3]):[0-5][0-9]$", t))])
    error_message = "policy.schedules: has the starts and ends ${jsonencode(concat(var.policy.schedules[*].start, var.policy.schedules[*].end))}, must be times of day from 00:00 to 23:59."
  }
  validation {
    condition     = alltrue([for zone in var.policy.schedules[*].timezone : can(regex("^[A-Za-z][A-Za-z0-9_+/-]*$", zone)) && zone != "Local"])
    error_message = "policy.schedules: has the time zones ${jsonencode(var.policy.schedules[*].timezone)}, must be IANA time zones such as Europe/Berlin."
  }
  validation {
    condition     = alltrue([for n in concat(var.policy.schedules[*].floor, var.policy.schedules[*].ceiling) : floor(n) == n && n >= 0 && n <= var.policy.max_tasks])
    error_message = "policy.schedules: has the floors and ceilings ${jsonencode(concat(var.policy.schedules[*].floor, var.policy.schedules[*].ceiling))}, must be whole numbers from 0 (none) to max_tasks, which is ${var.policy.max_tasks}."
  }
  validation {
    condition     = alltrue([for s in var.policy.schedules : s.ceiling == 0 || s.floor <= s.ceiling])
    error_message = "policy.schedules: has the floors ${jsonencode(var.policy.schedules[*].floor)} with the ceilings ${jsonencode(var.policy.schedules[*].ceiling)}, must have each floor at most its ceiling."
  }
}
