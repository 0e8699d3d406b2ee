package sim

import "time"

// Prices are what AWS charges, in dollars.
type Prices struct {
	// A vCPU and a GB of memory on Fargate, by the hour.
	VCPUHourX86, GBHourX86 float64
	VCPUHourARM, GBHourARM float64
	// SpotDiscount is the share that Spot takes off.
	SpotDiscount float64
	// TaskMinimum is the least time that a task is billed for.
	TaskMinimum time.Duration

	// By the million: SQS requests, DynamoDB's on-demand reads and writes,
	// Lambda's and EventBridge Scheduler's invocations.
	SQSRequests, TableReads, TableWrites, Invocations, Schedules float64
	// LambdaGBSecond is a GB of memory for a second, on ARM.
	LambdaGBSecond float64
	// A custom metric and an alarm of CloudWatch, by the month; a million metrics asked for.
	Metric, Alarm, MetricReads float64
}

// USEast1 returns the prices of us-east-1, as AWS's pages quoted them in 2025
// and 2026, without free tiers.
func USEast1() Prices {
	return Prices{
		VCPUHourX86: 0.04048, GBHourX86: 0.004445,
		VCPUHourARM: 0.03238, GBHourARM: 0.00356,
		SpotDiscount: 0.6, // 50 to 70% off
		TaskMinimum:  time.Minute,
		SQSRequests:  0.40,
		TableReads:   0.125, TableWrites: 0.625,
		Invocations: 0.20, Schedules: 1.00,
		LambdaGBSecond: 0.0000133334,
		Metric:         0.30, Alarm: 0.10, MetricReads: 10,
	}
}

// Size is what one task has.
type Size struct {
	VCPU, MemoryGB float64
	ARM, Spot      bool
}

// taskHour is what a task of a size costs an hour.
func (p Prices) taskHour(s Size) float64 {
	cost := s.VCPU*p.VCPUHourX86 + s.MemoryGB*p.GBHourX86
	if s.ARM {
		cost = s.VCPU*p.VCPUHourARM + s.MemoryGB*p.GBHourARM
	}
	if s.Spot {
		cost *= 1 - p.SpotDiscount
	}
	return cost
}

const (
	million    = 1e6
	monthHours = 730
	// requestsPerMessage are send, receive and delete, one by one.
	requestsPerMessage = 3
	// requestsPerTaskHour are empty long polls of 20 s.
	requestsPerTaskHour = 180
)

// queueing is what SQS charges for receives of so many messages by so many task-hours.
func (p Prices) queueing(receives int, taskHours float64) float64 {
	return p.SQSRequests * (float64(receives)*requestsPerMessage + taskHours*requestsPerTaskHour) / million
}

// Overhead is what a controller itself costs.
type Overhead struct {
	// PerMonth is paid however large the fleet is, PerTaskHour with it.
	PerMonth, PerTaskHour float64
}

// loop is a Lambda function of 128 MB on ARM that runs seconds of each minute
// and reads the queue's attributes every so often.
func (p Prices) loop(seconds float64, period time.Duration) float64 {
	const minutes, memoryGB = monthHours * 60, 0.125
	reads := minutes * seconds / period.Seconds()
	return minutes*seconds*memoryGB*p.LambdaGBSecond +
		(minutes*(p.Invocations+p.Schedules)+reads*p.SQSRequests)/million
}

// polls is what reading the queue's attributes costs a month.
func (p Prices) polls(period time.Duration) float64 {
	return monthHours * 3600 / period.Seconds() * p.SQSRequests / million
}
