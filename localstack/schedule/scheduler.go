package schedule

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/scheduler"
	"github.com/aws/aws-sdk-go-v2/service/scheduler/types"
)

// scheduleReader reads schedules.
type scheduleReader interface {
	ListSchedules(context.Context, *scheduler.ListSchedulesInput, ...func(*scheduler.Options)) (*scheduler.ListSchedulesOutput, error)
	GetSchedule(context.Context, *scheduler.GetScheduleInput, ...func(*scheduler.Options)) (*scheduler.GetScheduleOutput, error)
}

var _ scheduleReader = (*scheduler.Client)(nil)

// EventBridge is a Source that asks the EventBridge Scheduler API.
type EventBridge struct {
	api scheduleReader
}

// FromScheduler returns a Source over a Scheduler client.
func FromScheduler(client *scheduler.Client) EventBridge { return EventBridge{api: client} }

// Schedules reads all schedules of all groups. One deleted meanwhile is passed over.
func (e EventBridge) Schedules(ctx context.Context) ([]Schedule, error) {
	pages := scheduler.NewListSchedulesPaginator(e.api, &scheduler.ListSchedulesInput{})
	var schedules []Schedule
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("list schedules: %w", err)
		}
		for _, summary := range page.Schedules {
			schedule, err := e.read(ctx, summary)
			if gone := (*types.ResourceNotFoundException)(nil); errors.As(err, &gone) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("get schedule %s: %w", aws.ToString(summary.Name), err)
			}
			schedules = append(schedules, schedule)
		}
	}
	return schedules, nil
}

func (e EventBridge) read(ctx context.Context, summary types.ScheduleSummary) (Schedule, error) {
	output, err := e.api.GetSchedule(ctx, &scheduler.GetScheduleInput{Name: summary.Name, GroupName: summary.GroupName})
	if err != nil {
		return Schedule{}, err
	}
	schedule := Schedule{
		Key:        aws.ToString(output.Arn),
		Expression: aws.ToString(output.ScheduleExpression),
		Enabled:    output.State != types.ScheduleStateDisabled,
		Input:      []byte("{}"),
	}
	if output.Target != nil {
		schedule.Target = aws.ToString(output.Target.Arn)
		if output.Target.Input != nil {
			schedule.Input = []byte(*output.Target.Input)
		}
	}
	return schedule, nil
}
