# Each rule of the queue refuses what it must.

run "visibility_timeout_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { visibility_timeout_seconds = 4 } }
  expect_failures = [var.queue]
}

run "visibility_timeout_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { visibility_timeout_seconds = 43201 } }
  expect_failures = [var.queue]
}

run "visibility_timeout_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { visibility_timeout_seconds = 5.5 } }
  expect_failures = [var.queue]
}

run "message_retention_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { message_retention_seconds = 59 } }
  expect_failures = [var.queue]
}

run "message_retention_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { message_retention_seconds = 1209601 } }
  expect_failures = [var.queue]
}

run "message_retention_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { message_retention_seconds = 60.5 } }
  expect_failures = [var.queue]
}

run "dlq_retention_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { dlq_retention_seconds = 59 } }
  expect_failures = [var.queue]
}

run "dlq_retention_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { dlq_retention_seconds = 1209601 } }
  expect_failures = [var.queue]
}

run "dlq_retention_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { dlq_retention_seconds = 60.5 } }
  expect_failures = [var.queue]
}

run "max_receive_count_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { max_receive_count = 0 } }
  expect_failures = [var.queue]
}

run "max_receive_count_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { max_receive_count = 1001 } }
  expect_failures = [var.queue]
}

run "max_receive_count_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { max_receive_count = 3.5 } }
  expect_failures = [var.queue]
}

run "delay_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { delay_seconds = -1 } }
  expect_failures = [var.queue]
}

run "delay_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { delay_seconds = 901 } }
  expect_failures = [var.queue]
}

run "delay_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { delay_seconds = 0.5 } }
  expect_failures = [var.queue]
}

run "max_message_bytes_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { max_message_bytes = 1023 } }
  expect_failures = [var.queue]
}

run "max_message_bytes_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { max_message_bytes = 1048577 } }
  expect_failures = [var.queue]
}

run "max_message_bytes_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { max_message_bytes = 1024.5 } }
  expect_failures = [var.queue]
}

run "C18_dlq_keeps_no_longer_than_the_queue" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { message_retention_seconds = 1209600, dlq_retention_seconds = 1209600 } }
  expect_failures = [var.queue]
}

run "C17_max_receive_count_below_three" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { max_receive_count = 2 } }
  expect_failures = [var.queue]
}

run "kms_key_alias" {
  command = plan
  module { source = "./tests/inputs" }
  variables { queue = { kms_key_arn = "alias/jobs" } }
  expect_failures = [var.queue]
}
