# The inputs of every run that does not set its own.
name       = "reports"
image      = "123456789012.dkr.ecr.eu-west-1.amazonaws.com/team/reports:1.4.0"
subnets    = ["subnet-1", "subnet-2"]
scaler_zip = "tests/stand-in-for-scaler.zip"
