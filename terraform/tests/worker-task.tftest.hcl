# Each rule of the task refuses what it must.

run "stop_timeout_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { stop_timeout_seconds = 1 } }
  expect_failures = [var.worker]
}

run "stop_timeout_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { stop_timeout_seconds = 121 } }
  expect_failures = [var.worker]
}

run "stop_timeout_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { stop_timeout_seconds = 2.5 } }
  expect_failures = [var.worker]
}

run "drain_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { drain_seconds = 0 } }
  expect_failures = [var.worker]
}

run "drain_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { drain_seconds = 111 } }
  expect_failures = [var.worker]
}

run "drain_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { drain_seconds = 1.5 } }
  expect_failures = [var.worker]
}

run "health_check_interval_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { health_check = { interval_seconds = 4 } } }
  expect_failures = [var.worker]
}

run "health_check_interval_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { health_check = { interval_seconds = 301 } } }
  expect_failures = [var.worker]
}

run "health_check_interval_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { health_check = { interval_seconds = 5.5 } } }
  expect_failures = [var.worker]
}

run "health_check_timeout_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { health_check = { timeout_seconds = 1 } } }
  expect_failures = [var.worker]
}

run "health_check_timeout_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { health_check = { timeout_seconds = 61 } } }
  expect_failures = [var.worker]
}

run "health_check_timeout_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { health_check = { timeout_seconds = 2.5 } } }
  expect_failures = [var.worker]
}

run "health_check_retries_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { health_check = { retries = 0 } } }
  expect_failures = [var.worker]
}

run "health_check_retries_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { health_check = { retries = 11 } } }
  expect_failures = [var.worker]
}

run "health_check_retries_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { health_check = { retries = 1.5 } } }
  expect_failures = [var.worker]
}

run "health_check_start_period_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { health_check = { start_period_seconds = -1 } } }
  expect_failures = [var.worker]
}

run "health_check_start_period_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { health_check = { start_period_seconds = 301 } } }
  expect_failures = [var.worker]
}

run "health_check_start_period_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { health_check = { start_period_seconds = 0.5 } } }
  expect_failures = [var.worker]
}

run "fargate_has_no_such_cpu" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { cpu = 300, memory_mb = 512 } }
  expect_failures = [var.worker]
}

run "fargate_has_no_such_memory" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { cpu = 256, memory_mb = 4096 } }
  expect_failures = [var.worker]
}

run "fargate_memory_off_step" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { cpu = 8192, memory_mb = 17408 } }
  expect_failures = [var.worker]
}

run "architecture_another_word" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { architecture = "amd64" } }
  expect_failures = [var.worker]
}

run "environment_takes_a_reserved_name" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { environment = { WORKER_POOL_SIZE = "4" } } }
  expect_failures = [var.worker]
}

run "environment_no_name" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { environment = { "A-B" = "c" } } }
  expect_failures = [var.worker]
}

run "secrets_take_a_reserved_name" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { secrets = { ROUSE_TABLE = "arn:aws:ssm:eu-west-1:123456789012:parameter/x" } } }
  expect_failures = [var.worker]
}

run "secret_in_environment_too" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { environment = { A = "b" }, secrets = { A = "arn:aws:ssm:eu-west-1:123456789012:parameter/x" } } }
  expect_failures = [var.worker]
}

run "secret_no_arn" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { secrets = { A = "x" } } }
  expect_failures = [var.worker]
}

run "C36_drain_longer_than_stop_timeout" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { drain_seconds = 60, stop_timeout_seconds = 30 } }
  expect_failures = [var.worker]
}

run "C36_drain_without_margin" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { drain_seconds = 100, stop_timeout_seconds = 109 } }
  expect_failures = [var.worker]
}

run "log_retention_days_not_offered" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { log_retention_days = 2 } }
  expect_failures = [var.worker]
}

run "health_check_command_without_cmd" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { health_check = { command = ["/worker", "healthcheck"] } } }
  expect_failures = [var.worker]
}
