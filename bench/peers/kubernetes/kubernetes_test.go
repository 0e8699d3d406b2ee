package kubernetes

import (
	"math/rand/v2"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"

	"github.com/rousehq/rouse/internal/sim"
)

// external stands in for the metrics server; of its questions only that for an
// external metric is asked.
type external struct {
	metrics.MetricsClient
	milli int64
}

func (e *external) GetExternalMetric(string, string, labels.Selector) ([]int64, time.Time, error) {
	return []int64{e.milli}, time.Time{}, nil
}

func TestKubernetesDecidesAlike(t *testing.T) {
	const tolerance = 0.1 // --horizontal-pod-autoscaler-tolerance
	e := &external{}
	theirs := podautoscaler.NewReplicaCalculator(e, nil, tolerance, 0, 0)
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		current, target, messages := 1+r.IntN(300), 1+r.IntN(50), r.IntN(20_000)
		if r.IntN(2) == 0 { // near the edges of the tolerance
			messages = int(float64(current*target)*(0.88+0.24*r.Float64()) + 0.5)
		}
		e.milli = int64(messages) * 1000
		want, _, _, err := theirs.GetExternalPerPodMetricReplicas(int32(current), int64(target)*1000, "m", "n", &metav1.LabelSelector{})
		if err != nil {
			t.Fatal(err)
		}
		if got := sim.HPAReplicas(current, float64(messages), float64(target)); got != int(want) {
			t.Fatalf("%d messages, %d a pod, %d pods: got %d, want %d", messages, target, current, got, want)
		}
	}
}
