package demo

import (
	"context"
	"fmt"
	"slices"

	"github.com/rousehq/rouse/localstack"
	"github.com/rousehq/rouse/localstack/rig"
)

// settle checks that every job's result is there exactly once, that nothing was
// dead-lettered and that no worker was killed. The error says what is wrong.
func settle(ctx context.Context, cloud *localstack.Cloud, r *rig.Rig, ids []string, s *screen) error {
	results, err := r.Results(ctx)
	if err != nil {
		return err
	}
	dead, err := r.Dead(ctx)
	if err != nil {
		return err
	}
	a := audit(ids, results)
	killed := 0
	for _, task := range cloud.Tasks() {
		if task.Killed {
			killed++
		}
	}
	s.line(fmt.Sprintf("%d jobs sent: %d done exactly once, %d more than once, %d missing, %d dead-lettered; %d workers killed",
		len(ids), a.once, len(a.repeated), len(a.missing), dead.Visible, killed))
	for _, id := range a.repeated {
		s.line(fmt.Sprintf("  %s was completed %d times: its lease was lost or its worker ended between the job and the delete", id, results[id].Completions))
	}
	if len(a.missing) > 0 || dead.Visible > 0 || killed > 0 {
		return fmt.Errorf("the books do not balance: missing %v", a.missing)
	}
	return nil
}

// accounts is what became of the jobs that were sent.
type accounts struct {
	once              int
	repeated, missing []string
}

func audit(ids []string, results map[string]rig.Result) accounts {
	var a accounts
	for _, id := range ids {
		switch results[id].Completions {
		case 0:
			a.missing = append(a.missing, id)
		case 1:
			a.once++
		default:
			a.repeated = append(a.repeated, id)
		}
	}
	slices.Sort(a.missing)
	return a
}
