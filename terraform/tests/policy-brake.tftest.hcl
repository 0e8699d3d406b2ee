# Each rule of the policy on delayed messages, the brake and stalling refuses what it must.

run "prewake_lead_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { prewake_lead_seconds = -1 } }
  expect_failures = [var.policy]
}

run "prewake_lead_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { prewake_lead_seconds = 901 } }
  expect_failures = [var.policy]
}

run "prewake_lead_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { prewake_lead_seconds = 0.5 } }
  expect_failures = [var.policy]
}

run "brake_after_starts_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { brake_after_starts = 0 } }
  expect_failures = [var.policy]
}

run "brake_after_starts_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { brake_after_starts = 101 } }
  expect_failures = [var.policy]
}

run "brake_after_starts_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { brake_after_starts = 1.5 } }
  expect_failures = [var.policy]
}

run "brake_retry_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { brake_retry_seconds = 0 } }
  expect_failures = [var.policy]
}

run "brake_retry_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { brake_retry_seconds = 86401 } }
  expect_failures = [var.policy]
}

run "brake_retry_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { brake_retry_seconds = 1.5 } }
  expect_failures = [var.policy]
}

run "brake_retry_max_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { brake_retry_max_seconds = 0 } }
  expect_failures = [var.policy]
}

run "brake_retry_max_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { brake_retry_max_seconds = 86401 } }
  expect_failures = [var.policy]
}

run "brake_retry_max_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { brake_retry_max_seconds = 1.5 } }
  expect_failures = [var.policy]
}

run "stalled_after_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { stalled_after_seconds = 59 } }
  expect_failures = [var.policy]
}

run "stalled_after_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { stalled_after_seconds = 86401 } }
  expect_failures = [var.policy]
}

run "stalled_after_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { stalled_after_seconds = 60.5 } }
  expect_failures = [var.policy]
}

run "delayed_another_word" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { delayed = "maybe" } }
  expect_failures = [var.policy]
}

run "brake_retry_seconds_above_its_max" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { brake_retry_seconds = 61, brake_retry_max_seconds = 60 } }
  expect_failures = [var.policy]
}
