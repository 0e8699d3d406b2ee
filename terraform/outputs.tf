output "queue_url" {
  description = "URL of the queue: send jobs here."
  value       = aws_sqs_queue.jobs.url
}

output "queue_arn" {
  description = "ARN of the queue, for the policies of those who send."
  value       = aws_sqs_queue.jobs.arn
}

output "queue_name" {
  description = "Name of the queue, as in CloudWatch's QueueName."
  value       = aws_sqs_queue.jobs.name
}

output "dlq_url" {
  description = "URL of the dead-letter queue."
  value       = aws_sqs_queue.dead.url
}

output "dlq_arn" {
  description = "ARN of the dead-letter queue."
  value       = aws_sqs_queue.dead.arn
}

output "table_name" {
  description = "Name of the table of documents, state, heartbeats and results."
  value       = aws_dynamodb_table.rouse.name
}

output "table_arn" {
  description = "ARN of the table."
  value       = aws_dynamodb_table.rouse.arn
}

output "cluster_arn" {
  description = "ARN of the cluster that the service runs in."
  value       = local.cluster_arn
}

output "cluster_name" {
  description = "Name of the cluster that the service runs in."
  value       = local.cluster_name
}

output "service_name" {
  description = "Name of the ECS service."
  value       = aws_ecs_service.worker.name
}

output "service_arn" {
  description = "ARN of the ECS service."
  value       = aws_ecs_service.worker.id
}

output "task_definition_arn" {
  description = "ARN of the task definition's newest revision."
  value       = aws_ecs_task_definition.worker.arn
}

output "task_role_arn" {
  description = "ARN of the workers' role."
  value       = aws_iam_role.task.arn
}

output "task_role_name" {
  description = "Name of the workers' role: attach what the jobs themselves need."
  value       = aws_iam_role.task.name
}

output "execution_role_arn" {
  description = "ARN of the role that ECS starts workers with."
  value       = aws_iam_role.execution.arn
}

output "security_group_ids" {
  description = "The tasks' security groups: let them into the databases that jobs use."
  value       = local.security_group_ids
}

output "scaler_function_name" {
  description = "Name of the scaler's Lambda function."
  value       = aws_lambda_function.scaler.function_name
}

output "scaler_function_arn" {
  description = "ARN of the scaler's Lambda function."
  value       = aws_lambda_function.scaler.arn
}

output "scaler_role_arn" {
  description = "ARN of the scaler's role."
  value       = aws_iam_role.scaler.arn
}

output "schedule_name" {
  description = "Name of the schedule that invokes the scaler, in the default group."
  value       = aws_scheduler_schedule.scaler.name
}

output "scaler_log_group_name" {
  description = "Name of the scaler's log group: one line per tick."
  value       = aws_cloudwatch_log_group.scaler.name
}

output "worker_log_group_name" {
  description = "Name of the workers' log group."
  value       = aws_cloudwatch_log_group.worker.name
}

output "document" {
  description = "The workload document, as it stands in the table."
  value       = jsonencode(local.document)
}
