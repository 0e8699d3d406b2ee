# What changes when inputs do.

mock_provider "aws" {
  source = "./tests/mocks"
}

run "scale_to_zero_starts_at_zero" {
  command = plan
  variables { policy = { scale_to_zero = true } }

  assert {
    condition     = aws_ecs_service.worker.desired_count == 0
    error_message = "With the opt-in to zero the service must start at 0."
  }
}

run "scale_to_zero_keeps_min_tasks" {
  command = plan
  variables { policy = { scale_to_zero = true, min_tasks = 2 } }

  assert {
    condition     = aws_ecs_service.worker.desired_count == 2
    error_message = "The service must start at min_tasks."
  }
}

run "document_has_a_number_per_task" {
  command = apply
  variables {
    policy = { backlog_per_task = 2.5, ewma_alpha = 0.25 }
    worker = { pool_size = 4 }
  }

  assert {
    condition     = strcontains(output.document, "\"backlog_per_task\":2.5,") && strcontains(output.document, "\"ewma_alpha\":0.25,")
    error_message = "Numbers must stand in the document as numbers."
  }
  assert {
    condition     = jsondecode(output.document).slots_per_task == 4 && tonumber(local.worker_environment.WORKER_POOL_SIZE) == 4
    error_message = "A task's slots must be its pool's size, in the document and in the worker."
  }
  assert {
    condition     = jsondecode(aws_dynamodb_table_item.spec.item).document.S == output.document && jsondecode(aws_dynamodb_table_item.spec.item).pk.S == "workload#reports"
    error_message = "The record must hold the document under the workload's key."
  }
}

run "document_has_auto_per_task" {
  command = apply
  variables { policy = { backlog_per_task = "auto" } }

  assert {
    condition     = strcontains(output.document, "\"backlog_per_task\":\"auto\",")
    error_message = "The word auto must stand in the document as text."
  }
}

run "own_cluster_and_security_groups" {
  command = plan
  variables {
    cluster            = { arn = "arn:aws:ecs:eu-west-1:123456789012:cluster/jobs" }
    security_group_ids = ["sg-1"]
  }

  assert {
    condition     = length(aws_ecs_cluster.own) == 0 && output.cluster_name == "jobs" && aws_ecs_service.worker.cluster == var.cluster.arn
    error_message = "The given cluster must be used and none made."
  }
  assert {
    condition     = length(aws_security_group.worker) == 0 && length(data.aws_subnet.first) == 0 && one(aws_ecs_service.worker.network_configuration).security_groups == toset(["sg-1"])
    error_message = "The given security groups must be used and none made."
  }
}

run "health_check_left_out" {
  command = plan
  variables { worker = { health_check = { command = [] }, http_address = "" } }

  assert {
    condition     = local.container.healthCheck == null && local.worker_environment.WORKER_HTTP_ADDRESS == ""
    error_message = "There must be no health check, and nothing served."
  }
}

run "image_of_another_registry" {
  command = plan
  variables { image = "ghcr.io/team/reports:1" }

  assert {
    condition     = length(flatten([for s in data.aws_iam_policy_document.execution.statement : s.actions if s.sid != "WriteLog"])) == 0
    error_message = "An image that is not in ECR needs no right in ECR."
  }
}

run "stopped_schedule" {
  command = plan
  variables { scaler = { enabled = false } }

  assert {
    condition     = aws_scheduler_schedule.scaler.state == "DISABLED"
    error_message = "The schedule must be off."
  }
}
