package process_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/rousehq/rouse/localstack/process"
)

// TestMain lets the test binary play the child: what it does is named by CHILD.
func TestMain(m *testing.M) {
	switch os.Getenv("CHILD") {
	case "":
		os.Exit(m.Run())
	case "exit":
		os.Exit(7)
	case "polite":
		waitForTerm()
		os.Exit(0)
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("ready")
		select {}
	case "parent":
		startGrandchild()
	}
}

func waitForTerm() {
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	fmt.Println("ready")
	<-terminated
}

// startGrandchild leaves a deaf process behind and exits once it has told its id.
func startGrandchild() {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CHILD=deaf")
	if err := cmd.Start(); err != nil {
		os.Exit(1)
	}
	fmt.Println(cmd.Process.Pid)
}

// start runs the test binary as a child and returns its first line of output.
func start(t *testing.T, kind string) (*process.Group, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CHILD="+kind)
	output, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = write
	group, err := process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = group.Kill(); output.Close() })
	write.Close()
	line := bufio.NewScanner(output)
	line.Scan()
	return group, line.Text()
}

func TestExitCodeOfAChildThatEndsByItself(t *testing.T) {
	group, _ := start(t, "exit")
	if exit := group.Wait(); exit != (process.Exit{Code: 7}) {
		t.Errorf("exit = %+v, want code 7", exit)
	}
}

func TestStopOfAPoliteChildNeedsNoKill(t *testing.T) {
	group, _ := start(t, "polite")
	if exit, killed := group.Stop(10 * time.Second); killed || exit.Code != 0 {
		t.Errorf("Stop = %+v, killed %v; want code 0, not killed", exit, killed)
	}
}

func TestStopOfADeafChildKillsIt(t *testing.T) {
	group, _ := start(t, "deaf")
	exit, killed := group.Stop(10 * time.Millisecond)
	if want := (process.Exit{Code: 137, Signal: syscall.SIGKILL}); !killed || exit != want {
		t.Errorf("Stop = %+v, killed %v; want %+v, killed", exit, killed, want)
	}
}

func TestGrandchildrenDieWithTheLeader(t *testing.T) {
	group, line := start(t, "parent")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatalf("grandchild's id: %v", err)
	}
	group.Wait()
	for deadline := time.Now().Add(5 * time.Second); alive(pid); {
		if time.Now().After(deadline) {
			t.Fatalf("grandchild %d is alive after its leader's end", pid)
		}
	}
}

// alive reports whether a process exists and is no zombie waiting for init.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	var state string
	if _, err := fmt.Sscanf(string(stat), "%d %s %s", new(int), new(string), &state); err != nil {
		return false
	}
	return state != "Z"
}

func TestAMissingProgramIsAnErrorThatNamesIt(t *testing.T) {
	if _, err := process.Start(exec.Command("/no/such/program")); err == nil {
		t.Fatal("Start of a missing program answered no error")
	}
}
