# What the three required inputs give.

mock_provider "aws" {
  source = "./tests/mocks"
}

run "three_inputs" {
  command = apply

  assert {
    condition     = aws_sqs_queue.jobs.sqs_managed_sse_enabled && aws_sqs_queue.dead.sqs_managed_sse_enabled
    error_message = "Both queues must be encrypted."
  }
  assert {
    condition     = aws_sqs_queue.jobs.visibility_timeout_seconds == 60
    error_message = "The queue's visibility timeout must follow worker.visibility_seconds."
  }
  assert {
    condition     = jsondecode(aws_sqs_queue.jobs.redrive_policy).maxReceiveCount == 5
    error_message = "A message must move to the dead-letter queue after 5 receives."
  }
  assert {
    condition = alltrue([for d in data.aws_iam_policy_document.tls_only : (
      d.statement[0].effect == "Deny" && one(d.statement[0].condition).variable == "aws:SecureTransport"
    )]) && toset(keys(aws_sqs_queue_policy.tls_only)) == toset(["jobs", "dead"])
    error_message = "Both queues must deny plain HTTP."
  }
  assert {
    condition     = aws_dynamodb_table.rouse.billing_mode == "PAY_PER_REQUEST" && aws_dynamodb_table.rouse.point_in_time_recovery[0].enabled && aws_dynamodb_table.rouse.ttl[0].attribute_name == "expires_at"
    error_message = "The table must be on demand, recoverable, and expire records."
  }
  assert {
    condition     = aws_lambda_function.scaler.runtime == "provided.al2023" && aws_lambda_function.scaler.architectures == tolist(["arm64"]) && aws_lambda_function.scaler.timeout == 60
    error_message = "The scaler must run on provided.al2023, arm64, for a minute at most."
  }
  assert {
    condition     = aws_lambda_function_event_invoke_config.scaler.maximum_retry_attempts == 0 && aws_scheduler_schedule.scaler.target[0].retry_policy[0].maximum_retry_attempts == 0
    error_message = "A failed tick must not be repeated."
  }
  assert {
    condition     = aws_scheduler_schedule.scaler.schedule_expression == "rate(1 minutes)" && aws_scheduler_schedule.scaler.flexible_time_window[0].mode == "OFF"
    error_message = "The scaler must be invoked once a minute, on the minute."
  }
  assert {
    condition     = aws_ecs_service.worker.tags["rouse:workload"] == "reports" && aws_ecs_service.worker.propagate_tags == "SERVICE"
    error_message = "The service must carry the tag that the scaler demands."
  }
  assert {
    condition     = aws_ecs_service.worker.desired_count == 1
    error_message = "Without the opt-in to zero the service must start at 1."
  }
  assert {
    condition     = length(aws_ecs_cluster.own) == 1 && length(aws_vpc_security_group_egress_rule.worker) == 2 && output.security_group_ids == tolist(["sg-own"])
    error_message = "A cluster and a security group must be made."
  }
}

run "C18_only_our_queue_may_use_the_dead_letter_queue" {
  command = plan

  assert {
    condition = jsondecode(aws_sqs_queue_redrive_allow_policy.dead.redrive_allow_policy) == {
      redrivePermission = "byQueue"
      sourceQueueArns   = [aws_sqs_queue.jobs.arn]
    }
    error_message = "The redrive allow policy must name our queue and no other."
  }
  assert {
    condition     = aws_sqs_queue.dead.message_retention_seconds > aws_sqs_queue.jobs.message_retention_seconds
    error_message = "The dead-letter queue must keep messages longer than the queue."
  }
}

run "C32_apply_does_not_wait_for_workers" {
  command = plan

  assert {
    condition     = !aws_ecs_service.worker.wait_for_steady_state && aws_ecs_service.worker.deployment_circuit_breaker[0].enable && aws_ecs_service.worker.deployment_circuit_breaker[0].rollback
    error_message = "The apply must return, and a bad image be rolled back by ECS."
  }
}

run "C35_zones_are_not_rebalanced" {
  command = plan

  assert {
    condition     = aws_ecs_service.worker.availability_zone_rebalancing == "DISABLED"
    error_message = "Availability Zone rebalancing must be off: it stops long jobs."
  }
}

run "C36_drain_ends_before_the_stop_timeout" {
  command = plan

  assert {
    condition     = local.container.stopTimeout <= 120 && tonumber(local.worker_environment.WORKER_DRAIN_SECONDS) + 10 <= local.container.stopTimeout
    error_message = "Running jobs must be over, and messages given back, before SIGKILL."
  }
}

run "C39_destroy_does_not_wait_for_zero" {
  command = plan

  assert {
    condition     = aws_ecs_service.worker.force_delete && aws_ecs_service.worker.timeouts.delete == "10m"
    error_message = "Destroying the service must be forced, and bounded in time."
  }
}

run "zip_not_built" {
  command = plan
  variables { scaler_zip = "tests/no-such.zip" }
  expect_failures = [aws_lambda_function.scaler]
}
