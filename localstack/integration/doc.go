// Package integration holds the tests of the whole: real Terraform applies the
// module to the local cloud, the real Lambda binary scales, and real workers work.
// They have the build tag "integration" and need what `make setup` installs.
package integration
