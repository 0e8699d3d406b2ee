# Each rule of the policy on bounds and the wake-up refuses what it must.

run "min_tasks_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { min_tasks = -1 } }
  expect_failures = [var.policy]
}

run "min_tasks_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { min_tasks = 5001 } }
  expect_failures = [var.policy]
}

run "min_tasks_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { min_tasks = 0.5 } }
  expect_failures = [var.policy]
}

run "max_tasks_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { max_tasks = 0 } }
  expect_failures = [var.policy]
}

run "max_tasks_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { max_tasks = 5001 } }
  expect_failures = [var.policy]
}

run "max_tasks_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { max_tasks = 1.5 } }
  expect_failures = [var.policy]
}

run "activation_backlog_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { activation_backlog = 0 } }
  expect_failures = [var.policy]
}

run "activation_backlog_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { activation_backlog = 1000001 } }
  expect_failures = [var.policy]
}

run "activation_backlog_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { activation_backlog = 1.5 } }
  expect_failures = [var.policy]
}

run "wake_limit_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { wake_limit = -1 } }
  expect_failures = [var.policy]
}

run "wake_limit_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { wake_limit = 5001 } }
  expect_failures = [var.policy]
}

run "wake_limit_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { wake_limit = 0.5 } }
  expect_failures = [var.policy]
}

run "wake_confirmations_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { wake_confirmations = 0 } }
  expect_failures = [var.policy]
}

run "wake_confirmations_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { wake_confirmations = 11 } }
  expect_failures = [var.policy]
}

run "wake_confirmations_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { wake_confirmations = 1.5 } }
  expect_failures = [var.policy]
}

run "min_tasks_above_max_tasks" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { min_tasks = 6, max_tasks = 5 } }
  expect_failures = [var.policy]
}

run "wake_limit_above_max_tasks" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { wake_limit = 6, max_tasks = 5 } }
  expect_failures = [var.policy]
}
