// Package taskrunner runs the tasks of ECS services for real: it reads every service's desired count and task
// definition, and keeps that many workers running as containers or processes of this machine.
//
// A task passes through ECS's states:
//
//	PENDING ──start delay, launch──▶ RUNNING ──▶ DEACTIVATING ──▶ STOPPING ──▶ STOPPED
//	   └──────────── could not start ───────────────────────────────────────────▲
//	                                  └── container exited ─────────────────────┘
//
// DEACTIVATING is the moment a task is chosen to stop: from then on it no longer counts as running and can no longer be
// protected. STOPPING sends SIGTERM, and SIGKILL when the container's stop timeout has passed.
//
// What ECS promises is kept:
//
//   - scale-in takes pending tasks first, then unprotected ones, oldest first, and never a protected one: while
//     protection lasts, more tasks run than desired;
//   - a new task definition makes a new deployment, IN_PROGRESS until as many of its tasks as desired are up and the old
//     ones are gone, within the deployment's minimum and maximum percent; a circuit breaker ends a hopeless one;
//   - a task that ends by itself or fails its health check is replaced; when tasks never reach RUNNING, each start waits
//     twice as long as the one before;
//   - deleting a service stops all its tasks, protected or not.
//
// The decisions are one pure function, plan; the Runner is the shell that carries them out. Each task has an agent
// endpoint (task protection and metadata) under the address in Options.AgentURL, served by Runner.Agent.
package taskrunner
