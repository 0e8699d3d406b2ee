// Package knative holds internal/sim's restatement of Knative's pod autoscaler
// against the original, knative.dev/serving v0.50.0: whole runs with their state,
// over many random loads.
//
// It is a module of its own, so that the dependencies behind that one function
// are not the product's, and it has tests only:
//
//	cd bench/peers/knative && go test ./...
package knative
