# What AWS answers, where the form of the answer matters: ARNs are taken apart
# and put together again. The policies themselves are read from their statements.

mock_data "aws_iam_policy_document" {
  defaults = {
    json = "{}"
  }
}

mock_resource "aws_sqs_queue" {
  defaults = {
    arn = "arn:aws:sqs:eu-west-1:123456789012:mock"
    url = "https://sqs.eu-west-1.amazonaws.com/123456789012/mock"
  }
}

mock_resource "aws_dynamodb_table" {
  defaults = {
    arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/mock"
  }
}

mock_resource "aws_ecs_cluster" {
  defaults = {
    arn = "arn:aws:ecs:eu-west-1:123456789012:cluster/rouse-reports"
  }
}

mock_resource "aws_ecs_service" {
  defaults = {
    id = "arn:aws:ecs:eu-west-1:123456789012:service/rouse-reports/rouse-reports"
  }
}

mock_resource "aws_ecs_task_definition" {
  defaults = {
    arn = "arn:aws:ecs:eu-west-1:123456789012:task-definition/rouse-reports:1"
  }
}

mock_resource "aws_iam_role" {
  defaults = {
    arn = "arn:aws:iam::123456789012:role/mock"
  }
}

mock_resource "aws_lambda_function" {
  defaults = {
    arn = "arn:aws:lambda:eu-west-1:123456789012:function:rouse-reports-scaler"
  }
}

mock_resource "aws_cloudwatch_log_group" {
  defaults = {
    arn = "arn:aws:logs:eu-west-1:123456789012:log-group:mock"
  }
}

mock_resource "aws_security_group" {
  defaults = {
    id = "sg-own"
  }
}
