package knative

import (
	"math/rand/v2"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric/noop"
	"go.uber.org/zap"
	"k8s.io/apimachinery/pkg/types"
	"knative.dev/serving/pkg/autoscaler/scaling"

	"github.com/rousehq/rouse/internal/sim"
)

// load stands in for Knative's metric collector and its count of endpoints.
type load struct {
	stable, panicking float64
	ready             int
}

func (l *load) StableAndPanicConcurrency(types.NamespacedName, time.Time) (float64, float64, error) {
	return l.stable, l.panicking, nil
}

func (l *load) StableAndPanicRPS(types.NamespacedName, time.Time) (float64, float64, error) {
	return 0, 0, nil
}

func (l *load) ReadyCount() (int, error)    { return l.ready, nil }
func (l *load) NotReadyCount() (int, error) { return 0, nil }

// next moves the load: mostly a little, now and then a jump, now and then to nothing.
func (l *load) next(r *rand.Rand, decided int) {
	switch r.IntN(20) {
	case 0:
		l.panicking = r.Float64() * 2000
	case 1:
		l.panicking = 0
	default:
		l.panicking *= 0.8 + 0.4*r.Float64()
	}
	l.stable += 0.1 * (l.panicking - l.stable)
	if r.IntN(3) > 0 {
		l.ready = decided
	}
}

func TestKnativeDecidesAlike(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		target := 0.7 * float64(1+r.IntN(20))
		l := &load{}
		theirs := scaling.New(attribute.NewSet(), noop.NewMeterProvider(), "n", "r", l, l, &scaling.DeciderSpec{
			MaxScaleUpRate: 1000, MaxScaleDownRate: 2, ScalingMetric: "concurrency",
			TargetValue: target, TotalValue: target / 0.7, PanicThreshold: 2,
			StableWindow: time.Minute, Reachable: true,
		})
		ours := sim.KnativeLaw{Target: target}
		log, start := zap.NewNop().Sugar(), time.Unix(0, 0)
		for now := time.Duration(0); now < time.Hour; now += 2 * time.Second {
			want := int(theirs.Scale(log, start.Add(now)).DesiredPodCount)
			if got := ours.Scale(now, l.stable, l.panicking, l.ready); got != want {
				t.Fatalf("seed %d at %v: got %d, want %d for %+v", seed, now, got, want, *l)
			}
			l.next(r, want)
		}
	}
}
