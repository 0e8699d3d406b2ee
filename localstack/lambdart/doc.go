// Package lambdart runs deployed Lambda functions: the zip that was uploaded, with the environment, timeout and
// concurrency that were configured, over the Lambda Runtime API.
//
// An invocation takes an idle instance of the function or starts one. An instance is a process of the zip's bootstrap
// and an HTTP server of its own that speaks the Runtime API to it:
//
//	start ──GET next──▶ idle ◀──POST response, POST error──┐
//	  │                   └──────── invocation ──────▶ busy┘
//	  └─ init error, exit ─▶ gone ◀── exit, timeout (killed) ── busy
//
// Instances stay warm until code or configuration changes or the Runner is closed. What Lambda does and this does not:
// memory is not limited, async invocations are not retried, an idle process is not frozen.
package lambdart
