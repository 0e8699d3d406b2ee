package lambdart

import (
	"maps"
	"os"
	"slices"
	"strconv"
)

// environment is what an instance's bootstrap gets: the cloud's variables, the function's own, and over both those
// that Lambda reserves.
func environment(cloud map[string]string, d *deployment, region string) []string {
	env := map[string]string{"PATH": os.Getenv("PATH"), "TMPDIR": os.TempDir(), "LANG": "en_US.UTF-8", "TZ": ":UTC"}
	maps.Copy(env, cloud)
	maps.Copy(env, d.variables)
	maps.Copy(env, map[string]string{
		"AWS_REGION":                      region,
		"AWS_DEFAULT_REGION":              region,
		"AWS_EXECUTION_ENV":               "AWS_Lambda_provided.al2023",
		"AWS_LAMBDA_FUNCTION_NAME":        d.name,
		"AWS_LAMBDA_FUNCTION_VERSION":     "$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": strconv.Itoa(int(d.memory)),
		"AWS_LAMBDA_INITIALIZATION_TYPE":  "on-demand",
		"AWS_LAMBDA_LOG_GROUP_NAME":       d.logGroup,
		"AWS_LAMBDA_LOG_STREAM_NAME":      "local",
		"LAMBDA_TASK_ROOT":                d.dir,
		"LAMBDA_RUNTIME_DIR":              d.dir,
		"_HANDLER":                        d.handler,
	})
	list := make([]string, 0, len(env)+1)
	for _, name := range slices.Sorted(maps.Keys(env)) {
		list = append(list, name+"="+env[name])
	}
	return list
}
