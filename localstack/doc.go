// Package localstack is Rouse's local cloud: an AWS endpoint on this machine in which ECS tasks, Lambda functions and
// schedules really run. The integration tests and the demo use it; Terraform, the SDKs and the AWS command line speak to
// it as to AWS.
//
//	                    ┌────────────── endpoint ──────────────┐
//	AWS_ENDPOINT_URL ──▶│ SQS: memsqs · ECS overlay · Lambda    │──▶ moto_server: everything else
//	                    └──▲───────────▲──────────────▲─────────┘
//	                  taskrunner    lambdart ◀──── schedule
//	                  (processes,   (bootstrap of
//	                  containers)   the deployed zip)
//
// If AWS_ENDPOINT_URL is set when the cloud starts, for example to LocalStack's address, no endpoint is started; task
// runner and scheduler work against that one. What is then not there: the recorder, the in-memory queues, the overlay
// that makes ECS tell what runs.
//
// Everything listens on loopback only, and nothing outlives Close.
package localstack
