# Each rule of the scaler refuses what it must.

run "tick_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { tick_seconds = 0 } }
  expect_failures = [var.scaler]
}

run "tick_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { tick_seconds = 61 } }
  expect_failures = [var.scaler]
}

run "tick_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { tick_seconds = 1.5 } }
  expect_failures = [var.scaler]
}

run "deadline_margin_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { deadline_margin_seconds = 0 } }
  expect_failures = [var.scaler]
}

run "deadline_margin_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { deadline_margin_seconds = 31 } }
  expect_failures = [var.scaler]
}

run "deadline_margin_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { deadline_margin_seconds = 1.5 } }
  expect_failures = [var.scaler]
}

run "timeout_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { timeout_seconds = 4 } }
  expect_failures = [var.scaler]
}

run "timeout_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { timeout_seconds = 61 } }
  expect_failures = [var.scaler]
}

run "timeout_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { timeout_seconds = 5.5 } }
  expect_failures = [var.scaler]
}

run "concurrency_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { concurrency = 0 } }
  expect_failures = [var.scaler]
}

run "concurrency_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { concurrency = 257 } }
  expect_failures = [var.scaler]
}

run "concurrency_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { concurrency = 1.5 } }
  expect_failures = [var.scaler]
}

run "lease_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { lease_seconds = 4 } }
  expect_failures = [var.scaler]
}

run "lease_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { lease_seconds = 301 } }
  expect_failures = [var.scaler]
}

run "lease_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { lease_seconds = 5.5 } }
  expect_failures = [var.scaler]
}

run "memory_mb_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { memory_mb = 127 } }
  expect_failures = [var.scaler]
}

run "memory_mb_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { memory_mb = 10241 } }
  expect_failures = [var.scaler]
}

run "memory_mb_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { memory_mb = 128.5 } }
  expect_failures = [var.scaler]
}

run "deadline_margin_leaves_no_time" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { deadline_margin_seconds = 10, timeout_seconds = 10 } }
  expect_failures = [var.scaler]
}

run "metric_namespace_of_aws" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { metric_namespace = "AWS/Rouse" } }
  expect_failures = [var.scaler]
}

run "metric_namespace_empty" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { metric_namespace = "" } }
  expect_failures = [var.scaler]
}

run "log_level_another_word" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { log_level = "loud" } }
  expect_failures = [var.scaler]
}

run "log_retention_days_not_offered" {
  command = plan
  module { source = "./tests/inputs" }
  variables { scaler = { log_retention_days = 2 } }
  expect_failures = [var.scaler]
}

run "architecture_another_word" {
  command = plan
  module { source = "./tests/inputs" }
  variables { architecture = "amd64" }
  expect_failures = [var.architecture]
}
