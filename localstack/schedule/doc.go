// Package schedule fires EventBridge Scheduler's schedules: it reads them back from the endpoint, where Terraform wrote
// them, and invokes their Lambda functions.
//
// A schedule fires when it is first seen enabled, and then each period after that; an update of its expression or a
// change from DISABLED to ENABLED begins anew. A period that passes while the former invocation still runs fires
// nevertheless, as Scheduler does. Invocations that fail are recorded and not retried.
package schedule
