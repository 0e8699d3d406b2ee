package taskrunner

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
	"github.com/aws/aws-sdk-go-v2/service/ecs/types"
)

const describeBatch = 10 // services DescribeServices takes

// serviceReader reads services.
type serviceReader interface {
	ListClusters(context.Context, *ecs.ListClustersInput, ...func(*ecs.Options)) (*ecs.ListClustersOutput, error)
	ListServices(context.Context, *ecs.ListServicesInput, ...func(*ecs.Options)) (*ecs.ListServicesOutput, error)
	DescribeServices(context.Context, *ecs.DescribeServicesInput, ...func(*ecs.Options)) (*ecs.DescribeServicesOutput, error)
}

// definitionReader reads task definitions and sets a service's.
type definitionReader interface {
	DescribeTaskDefinition(context.Context, *ecs.DescribeTaskDefinitionInput, ...func(*ecs.Options)) (*ecs.DescribeTaskDefinitionOutput, error)
	UpdateService(context.Context, *ecs.UpdateServiceInput, ...func(*ecs.Options)) (*ecs.UpdateServiceOutput, error)
}

var (
	_ serviceReader    = (*ecs.Client)(nil)
	_ definitionReader = (*ecs.Client)(nil)
)

// ECS is a Source that asks the ECS API.
type ECS struct {
	services    serviceReader
	definitions definitionReader

	mu    sync.Mutex
	known map[string]Definition
}

// FromECS returns a Source over an ECS client.
func FromECS(client *ecs.Client) *ECS {
	return &ECS{services: client, definitions: client, known: make(map[string]Definition)}
}

// Services reads every service of every cluster.
func (e *ECS) Services(ctx context.Context) ([]Service, error) {
	clusters := ecs.NewListClustersPaginator(e.services, &ecs.ListClustersInput{})
	var services []Service
	for clusters.HasMorePages() {
		page, err := clusters.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("list clusters: %w", err)
		}
		for _, cluster := range page.ClusterArns {
			found, err := e.servicesOf(ctx, cluster)
			if err != nil {
				return nil, err
			}
			services = append(services, found...)
		}
	}
	return services, nil
}

func (e *ECS) servicesOf(ctx context.Context, cluster string) ([]Service, error) {
	list := ecs.NewListServicesPaginator(e.services, &ecs.ListServicesInput{Cluster: &cluster})
	var arns []string
	for list.HasMorePages() {
		page, err := list.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("list services of cluster %s: %w", cluster, err)
		}
		arns = append(arns, page.ServiceArns...)
	}
	var services []Service
	for batch := range slices.Chunk(arns, describeBatch) {
		output, err := e.services.DescribeServices(ctx, &ecs.DescribeServicesInput{Cluster: &cluster, Services: batch})
		if err != nil {
			return nil, fmt.Errorf("describe services of cluster %s: %w", cluster, err)
		}
		for _, service := range output.Services {
			services = append(services, readService(service))
		}
	}
	return services, nil
}

func readService(s types.Service) Service {
	service := Service{
		ARN:            aws.ToString(s.ServiceArn),
		Name:           aws.ToString(s.ServiceName),
		Cluster:        aws.ToString(s.ClusterArn),
		TaskDefinition: aws.ToString(s.TaskDefinition),
		Desired:        int(s.DesiredCount),
		Active:         aws.ToString(s.Status) == "ACTIVE",
	}
	if len(s.Deployments) > 0 {
		service.Force = aws.ToString(s.Deployments[0].Id)
	}
	if c := s.DeploymentConfiguration; c != nil {
		service.MaxPercent = int(aws.ToInt32(c.MaximumPercent))
		service.MinHealthyPercent = int(aws.ToInt32(c.MinimumHealthyPercent))
		if b := c.DeploymentCircuitBreaker; b != nil {
			service.Breaker, service.Rollback = b.Enable, b.Rollback
		}
	}
	return service
}

// Definition reads a task definition, once.
func (e *ECS) Definition(ctx context.Context, arn string) (Definition, error) {
	e.mu.Lock()
	definition, ok := e.known[arn]
	e.mu.Unlock()
	if ok {
		return definition, nil
	}
	output, err := e.definitions.DescribeTaskDefinition(ctx, &ecs.DescribeTaskDefinitionInput{TaskDefinition: &arn})
	if err != nil {
		return Definition{}, fmt.Errorf("describe task definition %s: %w", arn, err)
	}
	definition, err = readDefinition(output.TaskDefinition)
	if err != nil {
		return Definition{}, err
	}
	definition.ARN = arn
	e.mu.Lock()
	defer e.mu.Unlock()
	e.known[arn] = definition
	return definition, nil
}

// RollBack sets the service's task definition.
func (e *ECS) RollBack(ctx context.Context, service Service, taskDefinition string) error {
	_, err := e.definitions.UpdateService(ctx, &ecs.UpdateServiceInput{
		Cluster:        &service.Cluster,
		Service:        &service.Name,
		TaskDefinition: &taskDefinition,
	})
	if err != nil {
		return fmt.Errorf("update service %s: %w", service.Name, err)
	}
	return nil
}
