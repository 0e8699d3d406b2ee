package sim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/sim"
)

func writeTrace(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "arrivals.csv")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTraceYieldsItsBuckets(t *testing.T) {
	path := writeTrace(t, "# source: made here", "# bucket_s: 60", "# duration_s: 150", "offset_s,count", "0,3", "120,1")
	a, err := sim.Trace(path)
	if err != nil {
		t.Fatal(err)
	}
	if a.Name != "arrivals" || a.Duration != 150*time.Second {
		t.Errorf("got %q, %v", a.Name, a.Duration)
	}
	want := []sim.Bucket{{Start: 0, Width: time.Minute, Count: 3}, {Start: 2 * time.Minute, Width: 30 * time.Second, Count: 1}}
	n := 0
	for b, err := range a.Buckets(1) {
		if err != nil || b != want[n] {
			t.Errorf("bucket %d: got %v, %v, want %v", n, b, err, want[n])
		}
		n++
	}
	if n != len(want) {
		t.Errorf("got %d buckets, want %d", n, len(want))
	}
}

func TestMalformedTracesNameLineAndField(t *testing.T) {
	head := []string{"# bucket_s: 10", "# duration_s: 100", "offset_s,count"}
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"a count that is no number":       {append(head[:3:3], "0,many"), []string{`:4: count: is "many", must be a whole number from 1 to 100000000`}},
		"a count of zero":                 {append(head[:3:3], "0,0"), []string{`:4: count: is "0"`}},
		"an offset that is no number":     {append(head[:3:3], "1.5,2"), []string{`:4: offset_s: is "1.5", must be a whole number from 0 to 99`}},
		"an offset after the end":         {append(head[:3:3], "100,2"), []string{`:4: offset_s: is "100"`}},
		"an offset inside another bucket": {append(head[:3:3], "0,1", "9,1"), []string{`:5: offset_s: is "9", must be a whole number from 10 to 99`}},
		"a field too few":                 {append(head[:3:3], "7"), []string{`:4: line: is "7", must be two fields`}},
		"a field too many":                {append(head[:3:3], "7,8,9"), []string{`:4: line: is "7,8,9"`}},
		"no header":                       {[]string{"# bucket_s: 1", "# duration_s: 9", "0,1"}, []string{`:3: header: is "0,1"`}},
		"no comments":                     {[]string{"offset_s,count", "0,1"}, []string{"bucket_s: is missing", "duration_s: is missing"}},
		"an absurd duration":              {[]string{"# bucket_s: 1", "# duration_s: -5", "offset_s,count"}, []string{`:2: duration_s: is "-5"`}},
		"several problems at once":        {append(head[:3:3], "x,y", "5,-1"), []string{":4: offset_s", ":4: count", ":5: count"}},
		"a line without an end":           {append(head[:3:3], strings.Repeat("9", 1<<17)), []string{":4: "}},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeTrace(t, c.lines...)
			_, err := sim.Trace(path)
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %q", err, want)
				}
			}
		})
	}
}

func TestATraceTellsTenProblemsAtMost(t *testing.T) {
	lines := []string{"# bucket_s: 1", "# duration_s: 100", "offset_s,count"}
	for range 50 {
		lines = append(lines, "x,1")
	}
	_, err := sim.Trace(writeTrace(t, lines...))
	if err == nil || strings.Count(err.Error(), "\n") != 9 {
		t.Errorf("got %v, want 10 problems", err)
	}
}

func TestATraceThatIsNotThere(t *testing.T) {
	if _, err := sim.Trace(filepath.Join(t.TempDir(), "none.csv")); err == nil || !strings.Contains(err.Error(), "none.csv") {
		t.Errorf("got %v, want an error that names the file", err)
	}
}

func TestATraceThatVanishesFailsTheRun(t *testing.T) {
	path := writeTrace(t, "# bucket_s: 1", "# duration_s: 10", "offset_s,count", "0,1")
	a, err := sim.Trace(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s := plain(time.Minute)
	s.Arrivals = a
	if _, err := sim.Run(t.Context(), s, sim.Fixed(1), nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v, want an error that names the file", err)
	}
}
