variable "name" {
  description = "The workload's name. It names the queue, the service and the rest (as rouse-NAME), and stands in tags, metrics and logs."
  type        = string
  nullable    = false

  # 40 characters leave room for the longest derived name: the IAM role rouse-NAME-scheduler, of at most 64.
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,38}[a-z0-9]$", var.name))
    error_message = "name: is \"${var.name}\", must be 2 to 40 characters of a-z, 0-9 and -, starting with a letter and not ending with -."
  }
}

variable "image" {
  description = "The worker's container image, with its tag or digest."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[^[:space:]]+$", var.image))
    error_message = "image: is \"${var.image}\", must be a container image such as 123456789012.dkr.ecr.eu-west-1.amazonaws.com/reports:1.4.0."
  }
}

variable "subnets" {
  description = "Ids of the subnets that tasks start in, all of one VPC. They need a way to SQS, DynamoDB, ECR and CloudWatch Logs: a NAT gateway, VPC endpoints, or assign_public_ip in public subnets."
  type        = list(string)
  nullable    = false

  validation {
    condition     = length(var.subnets) > 0
    error_message = "subnets: is empty, must list at least one subnet id; two in different Availability Zones survive the loss of one."
  }
  validation {
    condition     = length(var.subnets) == length(distinct(var.subnets))
    error_message = "subnets: is ${jsonencode(var.subnets)}, must list each subnet once."
  }
  validation {
    condition     = length(var.subnets) <= 16
    error_message = "subnets: lists ${length(var.subnets)}, must be at most 16, the limit of ECS."
  }
}

variable "security_group_ids" {
  description = "Security groups of the tasks. Empty creates one that lets everything out and nothing in."
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = length(var.security_group_ids) <= 5
    error_message = "security_group_ids: lists ${length(var.security_group_ids)}, must be at most 5, the limit of ECS."
  }
}

variable "assign_public_ip" {
  description = "Whether tasks get a public IP address, which they need in public subnets without VPC endpoints."
  type        = bool
  default     = false
  nullable    = false
}

# An object and not a plain ARN, so that whether there is one is known at plan
# time even when the cluster is created in the same apply.
variable "cluster" {
  description = "The ECS cluster to run in, as { arn = \"…\" }. Null creates one."
  type = object({
    arn = string
  })
  default = null

  validation {
    condition     = var.cluster == null || can(regex("^arn:[^:]+:ecs:[^:]+:[0-9]+:cluster/[^/]+$", var.cluster.arn))
    error_message = "cluster.arn: is \"${try(var.cluster.arn, "")}\", must be the ARN of an ECS cluster, such as arn:aws:ecs:eu-west-1:123456789012:cluster/jobs; leave cluster out to create one."
  }
}

variable "permissions_boundary_arn" {
  description = "ARN of the permissions boundary that every role of this module gets. Null sets none."
  type        = string
  default     = null

  validation {
    condition     = var.permissions_boundary_arn == null || can(regex("^arn:[^:]+:iam::([0-9]+|aws):policy/", var.permissions_boundary_arn))
    error_message = "permissions_boundary_arn: is \"${coalesce(var.permissions_boundary_arn, "null")}\", must be the ARN of an IAM policy, or null."
  }
}

variable "tags" {
  description = "Tags of everything that takes tags."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = !contains(keys(var.tags), "rouse:workload")
    error_message = "tags: has the key rouse:workload, which the module sets to the workload's name: the scaler knows its service by it. Remove it."
  }
}
