package terraform

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Plan is what an apply would do.
type Plan struct {
	// JSON is the whole plan in Terraform's documented JSON form.
	JSON []byte
	// Changes has one line for each resource that would change, as "update aws_ecs_service.worker: a, b".
	Changes []string
}

// planFile is the part of the JSON plan that is read here.
type planFile struct {
	ResourceChanges []struct {
		Address string `json:"address"`
		Change  struct {
			Actions []string                   `json:"actions"`
			Before  map[string]json.RawMessage `json:"before"`
			After   map[string]json.RawMessage `json:"after"`
		} `json:"change"`
	} `json:"resource_changes"`
}

// Empty reports whether nothing would change.
func (p *Plan) Empty() bool { return len(p.Changes) == 0 }

func (s *Stack) readPlan(ctx context.Context, file string) (*Plan, error) {
	shown, err := s.exec.ShowPlanFile(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("terraform show: %w", err)
	}
	data, err := json.Marshal(shown)
	if err != nil {
		return nil, fmt.Errorf("encode plan: %w", err)
	}
	return parsePlan(data)
}

func parsePlan(data []byte) (*Plan, error) {
	var file planFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("decode plan: %w", err)
	}
	plan := &Plan{JSON: data}
	for _, resource := range file.ResourceChanges {
		actions := strings.Join(resource.Change.Actions, "+")
		if actions == "no-op" || actions == "read" {
			continue
		}
		line := actions + " " + resource.Address
		if changed := changedFields(resource.Change.Before, resource.Change.After); len(resource.Change.Before) > 0 && len(changed) > 0 {
			line += ": " + strings.Join(changed, ", ")
		}
		plan.Changes = append(plan.Changes, line)
	}
	return plan, nil
}

func changedFields(before, after map[string]json.RawMessage) []string {
	var changed []string
	for name, value := range after {
		if !bytes.Equal(before[name], value) {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return changed
}
