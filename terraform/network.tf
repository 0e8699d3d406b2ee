# The tasks' security groups: those that are given, or one that lets everything
# out and nothing in. Workers fetch their work, so nothing ever calls them.

locals {
  own_security_group = length(var.security_group_ids) == 0
  security_group_ids = local.own_security_group ? aws_security_group.worker[*].id : var.security_group_ids
}

data "aws_subnet" "first" {
  count = local.own_security_group ? 1 : 0

  id = var.subnets[0]
}

resource "aws_security_group" "worker" {
  count = local.own_security_group ? 1 : 0

  name        = "${local.prefix}-worker"
  description = "Rouse workers of ${var.name}: everything out, nothing in"
  vpc_id      = data.aws_subnet.first[0].vpc_id
  tags        = merge(local.tags, { Name = "${local.prefix}-worker" })
}

resource "aws_vpc_security_group_egress_rule" "worker" {
  for_each = local.own_security_group ? { ipv4 = "0.0.0.0/0", ipv6 = "::/0" } : {}

  security_group_id = aws_security_group.worker[0].id
  description       = "To AWS and to whatever the jobs need"
  ip_protocol       = "-1"
  cidr_ipv4         = each.key == "ipv4" ? each.value : null
  cidr_ipv6         = each.key == "ipv6" ? each.value : null
  tags              = local.tags
}
