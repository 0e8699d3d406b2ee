# Each rule of the policy on schedules refuses what it must.

run "schedules_more_than_fifty" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { schedules = [for i in range(51) : { start = "08:00", end = "18:00" }] } }
  expect_failures = [var.policy]
}

run "schedules_unknown_day" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { schedules = [{ days = ["monday"], start = "08:00", end = "18:00" }] } }
  expect_failures = [var.policy]
}

run "schedules_start_no_time_of_day" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { schedules = [{ start = "24:00", end = "18:00" }] } }
  expect_failures = [var.policy]
}

run "schedules_end_no_time_of_day" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { schedules = [{ start = "08:00", end = "6 pm" }] } }
  expect_failures = [var.policy]
}

run "schedules_timezone_empty" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { schedules = [{ start = "08:00", end = "18:00", timezone = "" }] } }
  expect_failures = [var.policy]
}

run "schedules_timezone_of_the_machine" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { schedules = [{ start = "08:00", end = "18:00", timezone = "Local" }] } }
  expect_failures = [var.policy]
}

run "schedules_floor_above_max_tasks" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { schedules = [{ start = "08:00", end = "18:00", floor = 11 }] } }
  expect_failures = [var.policy]
}

run "schedules_floor_negative" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { schedules = [{ start = "08:00", end = "18:00", floor = -1 }] } }
  expect_failures = [var.policy]
}

run "schedules_ceiling_not_whole" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { schedules = [{ start = "08:00", end = "18:00", ceiling = 1.5 }] } }
  expect_failures = [var.policy]
}

run "schedules_ceiling_above_max_tasks" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { schedules = [{ start = "08:00", end = "18:00", ceiling = 11 }] } }
  expect_failures = [var.policy]
}

run "schedules_floor_above_its_ceiling" {
  command = plan
  module { source = "./tests/inputs" }
  variables { policy = { schedules = [{ start = "08:00", end = "18:00", floor = 3, ceiling = 2 }] } }
  expect_failures = [var.policy]
}
