# Each rule of claiming and retrying refuses what it must.

run "pool_size_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { pool_size = 0 } }
  expect_failures = [var.worker]
}

run "pool_size_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { pool_size = 1001 } }
  expect_failures = [var.worker]
}

run "pool_size_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { pool_size = 1.5 } }
  expect_failures = [var.worker]
}

run "buffer_size_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { buffer_size = 0 } }
  expect_failures = [var.worker]
}

run "buffer_size_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { buffer_size = 10001 } }
  expect_failures = [var.worker]
}

run "buffer_size_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { buffer_size = 1.5 } }
  expect_failures = [var.worker]
}

run "wait_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { wait_seconds = -1 } }
  expect_failures = [var.worker]
}

run "wait_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { wait_seconds = 21 } }
  expect_failures = [var.worker]
}

run "wait_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { wait_seconds = 0.5 } }
  expect_failures = [var.worker]
}

run "visibility_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { visibility_seconds = 4 } }
  expect_failures = [var.worker]
}

run "visibility_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { visibility_seconds = 43201 } }
  expect_failures = [var.worker]
}

run "visibility_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { visibility_seconds = 5.5 } }
  expect_failures = [var.worker]
}

run "job_timeout_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { job_timeout_seconds = 0 } }
  expect_failures = [var.worker]
}

run "job_timeout_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { job_timeout_seconds = 43201 } }
  expect_failures = [var.worker]
}

run "job_timeout_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { job_timeout_seconds = 1.5 } }
  expect_failures = [var.worker]
}

run "retry_base_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { retry_base_seconds = -1 } }
  expect_failures = [var.worker]
}

run "retry_base_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { retry_base_seconds = 43201 } }
  expect_failures = [var.worker]
}

run "retry_base_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { retry_base_seconds = 0.5 } }
  expect_failures = [var.worker]
}

run "retry_max_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { retry_max_seconds = -1 } }
  expect_failures = [var.worker]
}

run "retry_max_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { retry_max_seconds = 43201 } }
  expect_failures = [var.worker]
}

run "retry_max_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { retry_max_seconds = 0.5 } }
  expect_failures = [var.worker]
}

run "retry_base_seconds_above_its_max" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { retry_base_seconds = 61, retry_max_seconds = 60 } }
  expect_failures = [var.worker]
}
