package endpoint

import (
	"maps"
	"sync"
)

// serviceFields keeps what clients wrote about a service and the upstream does not read back, by service ARN.
type serviceFields struct {
	mu     sync.Mutex
	fields map[string]object
}

// notFields are members of CreateService and UpdateService that are no fields of the service, or that the upstream
// does read back.
var notFields = map[string]bool{
	"cluster": true, "service": true, "serviceName": true, "clientToken": true, "role": true, "tags": true,
	"forceNewDeployment": true, "desiredCount": true, "taskDefinition": true,
}

// serviceDefaults are the fields that ECS fills in when nobody wrote them.
func serviceDefaults() object {
	return object{
		"availabilityZoneRebalancing":   "DISABLED",
		"deploymentConfiguration":       deploymentDefaults(),
		"enableECSManagedTags":          false,
		"enableExecuteCommand":          false,
		"healthCheckGracePeriodSeconds": 0,
		"platformFamily":                "Linux",
		"platformVersion":               "LATEST",
		"propagateTags":                 "NONE",
	}
}

func deploymentDefaults() object {
	return object{
		"deploymentCircuitBreaker": object{"enable": false, "rollback": false},
		"maximumPercent":           200,
		"minimumHealthyPercent":    100,
	}
}

// remember keeps the fields of a request. A created service starts from the defaults.
func (s *serviceFields) remember(arn string, input object, created bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fields == nil {
		s.fields = make(map[string]object)
	}
	if created || s.fields[arn] == nil {
		s.fields[arn] = serviceDefaults()
	}
	for name, value := range input {
		if value == nil || notFields[name] {
			continue
		}
		if written, ok := value.(object); ok && name == "deploymentConfiguration" {
			merged := deploymentDefaults()
			maps.Copy(merged, written)
			value = merged
		}
		s.fields[arn][name] = value
	}
}

// restore writes the kept fields into a service as the upstream describes it.
func (s *serviceFields) restore(arn string, service object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(service, s.fields[arn])
}
