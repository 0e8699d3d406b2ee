resource "aws_vpc" "main" {
  cidr_block = "10.0.0.0/16"
}

resource "aws_subnet" "main" {
  vpc_id     = aws_vpc.main.id
  cidr_block = "10.0.1.0/24"
}

resource "aws_security_group" "worker" {
  name        = "fleet-worker"
  description = "Workers: nothing in, everything out"
  vpc_id      = aws_vpc.main.id

  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_ecs_cluster" "main" {
  name = "fleet"
  setting {
    name  = "containerInsights"
    value = "enabled"
  }
}

resource "aws_ecs_task_definition" "worker" {
  family                   = "fleet-worker"
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = 256
  memory                   = 512
  execution_role_arn       = aws_iam_role.role["ecs-tasks"].arn
  task_role_arn            = aws_iam_role.role["ecs-tasks"].arn

  runtime_platform {
    cpu_architecture        = "ARM64"
    operating_system_family = "LINUX"
  }
  container_definitions = jsonencode([{
    name        = "worker"
    image       = var.image
    essential   = true
    command     = ["run"]
    stopTimeout = 5
    environment = [{ name = "GREETING", value = "hello" }]
    healthCheck = {
      command     = ["CMD", "/worker", "healthcheck"]
      interval    = 5
      timeout     = 5
      retries     = 3
      startPeriod = 10
    }
    readonlyRootFilesystem = true
    logConfiguration = {
      logDriver = "awslogs"
      options = {
        awslogs-group         = "/ecs/fleet"
        awslogs-region        = "us-east-1"
        awslogs-stream-prefix = "worker"
      }
    }
  }])
}

resource "aws_ecs_service" "worker" {
  name                          = "worker"
  cluster                       = aws_ecs_cluster.main.id
  task_definition               = aws_ecs_task_definition.worker.arn
  desired_count                 = 0
  launch_type                   = "FARGATE"
  availability_zone_rebalancing = "DISABLED"
  enable_ecs_managed_tags       = true
  propagate_tags                = "SERVICE"
  enable_execute_command        = false

  network_configuration {
    subnets          = [aws_subnet.main.id]
    security_groups  = [aws_security_group.worker.id]
    assign_public_ip = true
  }
  deployment_circuit_breaker {
    enable   = true
    rollback = true
  }
  tags = { "rouse:workload" = "jobs" }

  lifecycle {
    ignore_changes = [desired_count]
  }
}

output "cluster" {
  value = aws_ecs_cluster.main.arn
}

output "service" {
  value = aws_ecs_service.worker.name
}
