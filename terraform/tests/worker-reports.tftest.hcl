# Each rule of readiness, health, results and logs refuses what it must.

run "ready_timeout_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { ready = { timeout_seconds = 0 } } }
  expect_failures = [var.worker]
}

run "ready_timeout_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { ready = { timeout_seconds = 3601 } } }
  expect_failures = [var.worker]
}

run "ready_timeout_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { ready = { timeout_seconds = 1.5 } } }
  expect_failures = [var.worker]
}

run "ready_interval_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { ready = { interval_seconds = 0 } } }
  expect_failures = [var.worker]
}

run "ready_interval_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { ready = { interval_seconds = 301 } } }
  expect_failures = [var.worker]
}

run "ready_interval_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { ready = { interval_seconds = 1.5 } } }
  expect_failures = [var.worker]
}

run "heartbeat_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { heartbeat_seconds = 0 } }
  expect_failures = [var.worker]
}

run "heartbeat_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { heartbeat_seconds = 61 } }
  expect_failures = [var.worker]
}

run "heartbeat_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { heartbeat_seconds = 1.5 } }
  expect_failures = [var.worker]
}

run "stall_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { stall_seconds = 29 } }
  expect_failures = [var.worker]
}

run "stall_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { stall_seconds = 3601 } }
  expect_failures = [var.worker]
}

run "stall_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { stall_seconds = 30.5 } }
  expect_failures = [var.worker]
}

run "ready_tcp_without_port" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { ready = { tcp = ["db"] } } }
  expect_failures = [var.worker]
}

run "ready_http_no_url" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { ready = { http = ["db:80"] } } }
  expect_failures = [var.worker]
}

run "result_ttl_seconds_below_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { result_ttl_seconds = 59 } }
  expect_failures = [var.worker]
}

run "result_ttl_seconds_above_range" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { result_ttl_seconds = 31536001 } }
  expect_failures = [var.worker]
}

run "result_ttl_seconds_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { result_ttl_seconds = 60.5 } }
  expect_failures = [var.worker]
}

run "http_address_without_port" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { http_address = "localhost" } }
  expect_failures = [var.worker]
}

run "http_address_empty_with_a_health_check" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { http_address = "" } }
  expect_failures = [var.worker]
}

run "log_level_another_word" {
  command = plan
  module { source = "./tests/inputs" }
  variables { worker = { log_level = "loud" } }
  expect_failures = [var.worker]
}
