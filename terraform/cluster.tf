# The ECS cluster: the one that is given, or our own. A cluster costs nothing by itself.

resource "aws_ecs_cluster" "own" {
  count = var.cluster == null ? 1 : 0

  name = local.prefix
  tags = local.tags
}

locals {
  cluster_arn  = var.cluster == null ? aws_ecs_cluster.own[0].arn : var.cluster.arn
  cluster_name = element(split("/", local.cluster_arn), 1)
}
