# The least that runs: a queue of jobs, workers from zero to ten, and nothing running while there is nothing to do.

terraform {
  required_version = ">= 1.9"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.100, < 7.0"
    }
  }
}

variable "image" {
  description = "The worker's container image."
  type        = string
}

variable "subnets" {
  description = "Ids of the subnets that workers start in."
  type        = list(string)
}

module "reports" {
  source = "../.."

  name    = "reports"
  image   = var.image
  subnets = var.subnets

  policy = {
    scale_to_zero = true
  }
}

output "queue_url" {
  description = "Send jobs here."
  value       = module.reports.queue_url
}
