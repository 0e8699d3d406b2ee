package endpoint

import (
	"maps"
	"sync"
)

// fieldStore keeps what clients wrote about a resource and the upstream does not read back, by ARN or name.
type fieldStore struct {
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

// writtenService are the fields of a service that a request sets. A created service starts from the defaults.
func writtenService(input object, created bool) object {
	written := object{}
	if created {
		written = serviceDefaults()
	}
	for name, value := range input {
		if value == nil || notFields[name] {
			continue
		}
		if configuration, ok := value.(object); ok && name == "deploymentConfiguration" {
			value = deploymentDefaults()
			maps.Copy(value.(object), configuration)
		}
		written[name] = value
	}
	return written
}

// remember adds written to what is kept of a resource; created forgets a former resource of that name.
func (s *fieldStore) remember(key string, written object, created bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fields == nil {
		s.fields = make(map[string]object)
	}
	if created || s.fields[key] == nil {
		s.fields[key] = object{}
	}
	maps.Copy(s.fields[key], written)
}

// overwrite writes the kept fields over those the upstream answered.
func (s *fieldStore) overwrite(key string, resource object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(resource, s.fields[key])
}

// complete writes those kept fields that the upstream did not answer.
func (s *fieldStore) complete(key string, resource object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, value := range s.fields[key] {
		if _, answered := resource[name]; !answered {
			resource[name] = value
		}
	}
}
