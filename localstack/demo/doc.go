// Package demo shows the whole loop on one machine: the module is applied by real
// Terraform, jobs are sent, the scaler wakes workers from zero, they work, and the
// fleet goes back to zero. At the end every job is accounted for.
package demo
