# Each rule of the plain inputs refuses what it must.

run "name_empty" {
  command = plan
  module { source = "./tests/inputs" }
  variables { name = "" }
  expect_failures = [var.name]
}

run "name_one_character" {
  command = plan
  module { source = "./tests/inputs" }
  variables { name = "a" }
  expect_failures = [var.name]
}

run "name_too_long" {
  command = plan
  module { source = "./tests/inputs" }
  variables { name = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }
  expect_failures = [var.name]
}

run "name_starts_with_a_digit" {
  command = plan
  module { source = "./tests/inputs" }
  variables { name = "1a" }
  expect_failures = [var.name]
}

run "name_ends_with_a_hyphen" {
  command = plan
  module { source = "./tests/inputs" }
  variables { name = "a-" }
  expect_failures = [var.name]
}

run "name_upper_case" {
  command = plan
  module { source = "./tests/inputs" }
  variables { name = "Reports" }
  expect_failures = [var.name]
}

run "image_empty" {
  command = plan
  module { source = "./tests/inputs" }
  variables { image = "" }
  expect_failures = [var.image]
}

run "image_with_a_space" {
  command = plan
  module { source = "./tests/inputs" }
  variables { image = "reports 1" }
  expect_failures = [var.image]
}

run "subnets_empty" {
  command = plan
  module { source = "./tests/inputs" }
  variables { subnets = [] }
  expect_failures = [var.subnets]
}

run "subnets_twice_the_same" {
  command = plan
  module { source = "./tests/inputs" }
  variables { subnets = ["subnet-1", "subnet-1"] }
  expect_failures = [var.subnets]
}

run "subnets_more_than_sixteen" {
  command = plan
  module { source = "./tests/inputs" }
  variables { subnets = [for i in range(17) : "subnet-${i}"] }
  expect_failures = [var.subnets]
}

run "security_groups_more_than_five" {
  command = plan
  module { source = "./tests/inputs" }
  variables { security_group_ids = [for i in range(6) : "sg-${i}"] }
  expect_failures = [var.security_group_ids]
}

run "cluster_by_name" {
  command = plan
  module { source = "./tests/inputs" }
  variables { cluster = { arn = "jobs" } }
  expect_failures = [var.cluster]
}

run "permissions_boundary_by_name" {
  command = plan
  module { source = "./tests/inputs" }
  variables { permissions_boundary_arn = "Boundary" }
  expect_failures = [var.permissions_boundary_arn]
}

run "tags_take_the_reserved_key" {
  command = plan
  module { source = "./tests/inputs" }
  variables { tags = { "rouse:workload" = "other" } }
  expect_failures = [var.tags]
}
