package terraform

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// folders makes folders below a fresh root, which it returns.
func folders(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func environ(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestFindMirror(t *testing.T) {
	const aws = "registry.terraform.io/hashicorp/aws"
	for _, test := range []struct {
		name    string
		folders []string
		set     string // TF_PLUGIN_MIRROR, below the root
		want    string
	}{
		{"the variable's folder goes first", []string{"named/" + aws, "opt/plugins/" + aws}, "named", "named"},
		{"Terraform's own folder goes before a search", []string{"home/.terraform.d/plugins/" + aws, "a/" + aws}, "", "home/.terraform.d/plugins"},
		{"a folder anywhere near the root is found", []string{"opt/plugins/" + aws}, "", "opt/plugins"},
		{"a mirror without the AWS provider is none", []string{"opt/registry.terraform.io/hashicorp/null"}, "", ""},
		{"a deep folder is not looked for", []string{"a/b/c/d/e/" + aws}, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := folders(t, test.folders...)
			env := map[string]string{"HOME": filepath.Join(root, "home"), "XDG_DATA_DIRS": filepath.Join(root, "none")}
			if test.set != "" {
				env["TF_PLUGIN_MIRROR"] = filepath.Join(root, test.set)
			}
			want := ""
			if test.want != "" {
				want = filepath.Join(root, test.want)
			}
			if got := FindMirror(environ(env), root); got != want {
				t.Errorf("FindMirror = %q, want %q", got, want)
			}
		})
	}
}

func TestCLIConfigTakesFromTheMirrorOnlyWhatItHolds(t *testing.T) {
	mirror := folders(t, "registry.terraform.io/hashicorp/aws/5.100.0/linux_amd64")
	file, err := writeCLIConfig(t.TempDir(), []string{mirror}, false)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`include = ["registry.terraform.io/hashicorp/aws"]`, `exclude = ["registry.terraform.io/hashicorp/aws"]`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the configuration lacks %s:\n%s", want, text)
		}
	}
}

func TestOpenTofuGetsTheProvidersUnderItsOwnHost(t *testing.T) {
	mirror := folders(t, "registry.terraform.io/hashicorp/aws/5.100.0/linux_amd64")
	work := t.TempDir()
	path, err := mirrorFor(work, mirror, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(path, tofuHost, "hashicorp/aws/5.100.0/linux_amd64")); err != nil {
		t.Error(err)
	}
}

func TestLookNamesWhatIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Look(environ(nil)); !errors.Is(err, ErrMissing) {
		t.Errorf("err = %v, want ErrMissing", err)
	}
	_, err := Look(environ(map[string]string{ProgramVariable: "nothing"}))
	if err == nil || !strings.Contains(err.Error(), ProgramVariable+"=nothing") {
		t.Errorf("err = %v, want one that names the variable and its value", err)
	}
}

func TestLinesShowProgressAndExplainFailures(t *testing.T) {
	var shown bytes.Buffer
	l := newLines(&shown)
	log := `{"@message":"aws_sqs_queue.jobs: Creating...","type":"apply_start"}
{"@message":"aws_sqs_queue.jobs: Creation complete after 25s","type":"apply_complete"}
{"@message":"data.x: Refresh complete","type":"apply_complete","hook":{"action":"read"}}
{"@message":"Error: no","type":"diagnostic","diagnostic":{"severity":"error","summary":"no","detail":"such cluster","address":"aws_ecs_service.worker"}}
not JSON
`
	for chunk := range slices.Chunk([]byte(log), 7) { // a log comes in pieces
		if _, err := l.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if want := "aws_sqs_queue.jobs: Creation complete after 25s\nError: no\n"; shown.String() != want {
		t.Errorf("shown:\n%swant:\n%s", shown.String(), want)
	}
	exit := errors.New("exit status 1")
	err := l.explain("terraform apply", exit)
	if !errors.Is(err, exit) || !strings.Contains(err.Error(), "aws_ecs_service.worker: no: such cluster") {
		t.Errorf("err = %v", err)
	}
	if err := l.explain("terraform apply", nil); err != nil {
		t.Errorf("a success is explained as %v", err)
	}
}

func TestParsePlanListsChanges(t *testing.T) {
	plan, err := parsePlan([]byte(`{"resource_changes":[
		{"address":"a.same","change":{"actions":["no-op"]}},
		{"address":"a.read","change":{"actions":["read"]}},
		{"address":"a.new","change":{"actions":["create"],"before":null,"after":{"x":1}}},
		{"address":"a.changed","change":{"actions":["update"],"before":{"x":1,"y":2},"after":{"x":2,"y":2}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"create a.new", "update a.changed: x"}; !slices.Equal(plan.Changes, want) || plan.Empty() {
		t.Errorf("changes = %q, want %q", plan.Changes, want)
	}
}

func TestVariablesAreGivenAsTerraformReadsThem(t *testing.T) {
	got, err := assign(map[string]any{"name": "jobs", "subnets": []string{"a", "b"}, "count": 3, "open": false})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"count=3", "name=jobs", "open=false", `subnets=["a","b"]`}; !slices.Equal(got, want) {
		t.Errorf("assign = %q, want %q", got, want)
	}
}
