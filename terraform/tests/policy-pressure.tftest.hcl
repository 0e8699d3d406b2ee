# Each rule of the policy on pressure and the servo refuses what it must.

run "target_age_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { target_age_seconds = 0 } }
  expect_failures = [var.policy]
}

run "target_age_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { target_age_seconds = 86401 } }
  expect_failures = [var.policy]
}

run "target_age_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { target_age_seconds = 1.5 } }
  expect_failures = [var.policy]
}

run "step_up_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { step_up = 0 } }
  expect_failures = [var.policy]
}

run "step_up_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { step_up = 5001 } }
  expect_failures = [var.policy]
}

run "step_up_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { step_up = 1.5 } }
  expect_failures = [var.policy]
}

run "step_down_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { step_down = 0 } }
  expect_failures = [var.policy]
}

run "step_down_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { step_down = 5001 } }
  expect_failures = [var.policy]
}

run "step_down_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { step_down = 1.5 } }
  expect_failures = [var.policy]
}

run "kp_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { kp = -1 } }
  expect_failures = [var.policy]
}

run "kp_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { kp = 101 } }
  expect_failures = [var.policy]
}

run "ki_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { ki = -1 } }
  expect_failures = [var.policy]
}

run "ki_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { ki = 101 } }
  expect_failures = [var.policy]
}

run "backlog_per_task_zero" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { backlog_per_task = 0 } }
  expect_failures = [var.policy]
}

run "backlog_per_task_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { backlog_per_task = -1 } }
  expect_failures = [var.policy]
}

run "backlog_per_task_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { backlog_per_task = 1000001 } }
  expect_failures = [var.policy]
}

run "backlog_per_task_another_word" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { backlog_per_task = "many" } }
  expect_failures = [var.policy]
}

run "ewma_alpha_zero" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { ewma_alpha = 0 } }
  expect_failures = [var.policy]
}

run "ewma_alpha_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { ewma_alpha = 1.1 } }
  expect_failures = [var.policy]
}

run "hysteresis_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { hysteresis = -0.1 } }
  expect_failures = [var.policy]
}

run "hysteresis_one" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { hysteresis = 1 } }
  expect_failures = [var.policy]
}
