# Each rule of the policy on cool-downs and the idle window refuses what it must.

run "cooldown_up_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { cooldown_up_seconds = -1 } }
  expect_failures = [var.policy]
}

run "cooldown_up_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { cooldown_up_seconds = 86401 } }
  expect_failures = [var.policy]
}

run "cooldown_up_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { cooldown_up_seconds = 0.5 } }
  expect_failures = [var.policy]
}

run "cooldown_down_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { cooldown_down_seconds = -1 } }
  expect_failures = [var.policy]
}

run "cooldown_down_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { cooldown_down_seconds = 86401 } }
  expect_failures = [var.policy]
}

run "cooldown_down_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { cooldown_down_seconds = 0.5 } }
  expect_failures = [var.policy]
}

run "backoff_factor_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { backoff_factor = 0 } }
  expect_failures = [var.policy]
}

run "backoff_factor_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { backoff_factor = 11 } }
  expect_failures = [var.policy]
}

run "backoff_max_multiplier_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { backoff_max_multiplier = 0 } }
  expect_failures = [var.policy]
}

run "backoff_max_multiplier_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { backoff_max_multiplier = 101 } }
  expect_failures = [var.policy]
}

run "backoff_reset_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { backoff_reset_seconds = -1 } }
  expect_failures = [var.policy]
}

run "backoff_reset_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { backoff_reset_seconds = 86401 } }
  expect_failures = [var.policy]
}

run "backoff_reset_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { backoff_reset_seconds = 0.5 } }
  expect_failures = [var.policy]
}

run "idle_window_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { idle_window_seconds = -1 } }
  expect_failures = [var.policy]
}

run "idle_window_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { idle_window_seconds = 86401 } }
  expect_failures = [var.policy]
}

run "idle_window_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { idle_window_seconds = 0.5 } }
  expect_failures = [var.policy]
}

run "idle_confirmations_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { idle_confirmations = 0 } }
  expect_failures = [var.policy]
}

run "idle_confirmations_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { idle_confirmations = 11 } }
  expect_failures = [var.policy]
}

run "idle_confirmations_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { idle_confirmations = 1.5 } }
  expect_failures = [var.policy]
}

run "warmup_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { warmup_seconds = -1 } }
  expect_failures = [var.policy]
}

run "warmup_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { warmup_seconds = 3601 } }
  expect_failures = [var.policy]
}

run "warmup_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { warmup_seconds = 0.5 } }
  expect_failures = [var.policy]
}
