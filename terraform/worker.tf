# The workers: a Fargate service whose desired count belongs to the scaler.

locals {
  # Every setting is written out, so that the task definition shows what runs.
  worker_environment = merge(var.worker.environment, {
    ROUSE_WORKLOAD                = var.name
    ROUSE_QUEUE_URL               = aws_sqs_queue.jobs.url
    ROUSE_DLQ_URL                 = aws_sqs_queue.dead.url
    ROUSE_TABLE                   = aws_dynamodb_table.rouse.name
    WORKER_POOL_SIZE              = var.worker.pool_size
    WORKER_BUFFER_SIZE            = var.worker.buffer_size
    WORKER_WAIT_SECONDS           = var.worker.wait_seconds
    WORKER_VISIBILITY_SECONDS     = var.worker.visibility_seconds
    WORKER_JOB_TIMEOUT_SECONDS    = var.worker.job_timeout_seconds
    WORKER_RETRY_BASE_SECONDS     = var.worker.retry_base_seconds
    WORKER_RETRY_MAX_SECONDS      = var.worker.retry_max_seconds
    WORKER_DRAIN_SECONDS          = var.worker.drain_seconds
    WORKER_READY_TCP              = join(",", var.worker.ready.tcp)
    WORKER_READY_HTTP             = join(",", var.worker.ready.http)
    WORKER_READY_TIMEOUT_SECONDS  = var.worker.ready.timeout_seconds
    WORKER_READY_INTERVAL_SECONDS = var.worker.ready.interval_seconds
    WORKER_HEARTBEAT_SECONDS      = var.worker.heartbeat_seconds
    WORKER_STALL_SECONDS          = var.worker.stall_seconds
    WORKER_RESULT_TTL_SECONDS     = var.worker.result_ttl_seconds
    WORKER_HTTP_ADDRESS           = var.worker.http_address
    WORKER_LOG_LEVEL              = var.worker.log_level
  })

  health_check = length(var.worker.health_check.command) == 0 ? null : {
    command     = var.worker.health_check.command
    interval    = var.worker.health_check.interval_seconds
    timeout     = var.worker.health_check.timeout_seconds
    retries     = var.worker.health_check.retries
    startPeriod = var.worker.health_check.start_period_seconds
  }

  container = {
    name                   = "worker"
    image                  = var.image
    essential              = true
    command                = var.worker.command
    entryPoint             = var.worker.entry_point
    environment            = [for name, value in local.worker_environment : { name = name, value = tostring(value) }]
    secrets                = [for name, arn in var.worker.secrets : { name = name, valueFrom = arn }]
    healthCheck            = local.health_check
    stopTimeout            = var.worker.stop_timeout_seconds
    user                   = var.worker.user
    readonlyRootFilesystem = var.worker.readonly_root_filesystem
    linuxParameters        = { initProcessEnabled = true } # reaps what a job's command leaves behind

    logConfiguration = {
      logDriver = "awslogs"
      options = {
        awslogs-group         = aws_cloudwatch_log_group.worker.name
        awslogs-region        = local.region
        awslogs-stream-prefix = "worker"
      }
    }
  }
}

resource "aws_ecs_task_definition" "worker" {
  family                   = local.prefix
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = var.worker.cpu
  memory                   = var.worker.memory_mb
  task_role_arn            = aws_iam_role.task.arn
  execution_role_arn       = aws_iam_role.execution.arn
  container_definitions    = jsonencode([{ for key, value in local.container : key => value if value != null }])
  tags                     = local.tags

  runtime_platform {
    operating_system_family = "LINUX"
    cpu_architecture        = upper(var.worker.architecture)
  }
}

resource "aws_ecs_service" "worker" {
  name            = local.prefix
  cluster         = local.cluster_arn
  task_definition = aws_ecs_task_definition.worker.arn
  launch_type     = "FARGATE"
  desired_count   = local.floor

  # Rebalancing stops tasks to even out the zones, whatever they are working on.
  availability_zone_rebalancing = "DISABLED"

  # At zero there is nothing to wait for, and a busy fleet may take hours to turn over.
  wait_for_steady_state = false

  # Destroying does not wait for the count to reach zero first.
  force_delete = true

  enable_ecs_managed_tags = true
  propagate_tags          = "SERVICE"
  tags                    = local.tags

  deployment_circuit_breaker {
    enable   = true
    rollback = true
  }

  network_configuration {
    subnets          = var.subnets
    security_groups  = local.security_group_ids
    assign_public_ip = var.assign_public_ip
  }

  timeouts {
    delete = "10m"
  }

  # A task that starts before its roles have their rights, or their way out, fails.
  depends_on = [
    aws_iam_role_policy.execution,
    aws_iam_role_policy.task,
    aws_vpc_security_group_egress_rule.worker,
  ]

  lifecycle {
    # The scaler owns the count: an apply never puts it back.
    ignore_changes = [desired_count]
  }
}
