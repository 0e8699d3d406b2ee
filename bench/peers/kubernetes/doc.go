// Package kubernetes holds internal/sim's restatement of Kubernetes' replica
// calculation for external metrics, on which KEDA builds, against the original,
// k8s.io/kubernetes v1.32.13, over many random inputs.
//
// It is a module of its own, so that the dependencies behind that one function
// are not the product's, and it has tests only. The replacements in its go.mod are
// what every module needs that imports k8s.io/kubernetes.
//
//	cd bench/peers/kubernetes && go test ./...
package kubernetes
