//go:build linux

package cluster

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// slurm holds a Slurm installation with a controller and a node daemon on this machine. Its files
// are in a temporary folder.
type slurm struct {
	dir        string
	controller *exec.Cmd
	asked      time.Time // last time at which repair made the controller ask the node for its tasks
}

const slurmConfig = `ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[2]d
SlurmdPort=%[3]d
SlurmUser=%[4]s
SlurmdUser=%[4]s
AuthType=auth/munge
# A requeued task waits until its credential has expired, which takes two minutes by default.
AuthInfo=socket=%[5]s/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=%[5]s/state
SlurmdSpoolDir=%[5]s/spool
SlurmctldPidFile=%[5]s/slurmctld.pid
SlurmdPidFile=%[5]s/slurmd.pid
SlurmctldLogFile=%[5]s/slurmctld.log
SlurmdLogFile=%[5]s/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
KillWait=5
NodeName=node1 NodeHostname=%[1]s NodeAddr=127.0.0.1 CPUs=%[6]d
PartitionName=main Nodes=node1 Default=YES MaxTime=INFINITE
`

// freePort returns a TCP port that no program listens on.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// startSlurm starts munge, the controller and the node daemon. Until the test ends, the
// environment variable SLURM_CONF holds the path of Slurm's configuration file.
func startSlurm(t *testing.T) *slurm {
	t.Helper()
	dir, err := os.MkdirTemp("", "slurm-") // short, because the path of a socket has at most 108 bytes
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := &slurm{dir: dir}
	for _, sub := range []string{"state", "spool"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, sub), 0o755))
	}
	host, err := os.Hostname()
	require.NoError(t, err)
	host, _, _ = strings.Cut(host, ".")
	me, err := user.Current()
	require.NoError(t, err)
	config := fmt.Sprintf(slurmConfig, host, freePort(t), freePort(t), me.Username, dir, runtime.NumCPU())
	file := filepath.Join(dir, "slurm.conf")
	require.NoError(t, os.WriteFile(file, []byte(config), 0o644))
	t.Setenv("SLURM_CONF", file)
	key := bytes.Repeat([]byte("a key for tests only, "), 10)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "munge.key"), key, 0o600))
	at := func(name string) string { return filepath.Join(dir, "munge."+name) }
	s.start(t, "munged", "--foreground", "--force", "--key-file="+at("key"), "--socket="+at("socket"), "--pid-file="+at("pid"), "--log-file="+at("log"), "--seed-file="+at("seed"))
	require.Eventually(t, func() bool { _, err := os.Stat(at("socket")); return err == nil }, 20*time.Second, 50*time.Millisecond)
	s.startController(t)
	s.start(t, "slurmd", "-D", "-f", file, "-N", "node1")
	require.Eventually(t, func() bool {
		out, err := exec.Command("sinfo", "--noheader", "--format=%t").Output()
		return err == nil && strings.TrimSpace(string(out)) == "idle"
	}, time.Minute, 200*time.Millisecond, "the node is idle")
	t.Cleanup(s.cancelAll)
	return s
}

// startController starts slurmctld, the controller of Slurm. It restores the state that an earlier
// controller saved.
func (s *slurm) startController(t *testing.T) {
	t.Helper()
	s.controller = s.start(t, "slurmctld", "-D", "-f", filepath.Join(s.dir, "slurm.conf"))
}

// start starts a program, and stops it at the end of the test.
func (s *slurm) start(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(name, args...)
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		timer := time.AfterFunc(10*time.Second, func() { _ = c.Process.Kill() })
		_ = c.Wait()
		timer.Stop()
	})
	return c
}

// restartController kills the controller, and starts a new one after a pause.
func (s *slurm) restartController(t *testing.T, pause time.Duration) {
	t.Helper()
	require.NoError(t, s.controller.Process.Kill())
	_ = s.controller.Wait()
	time.Sleep(pause)
	s.startController(t)
	require.Eventually(t, func() bool { return exec.Command("scontrol", "ping").Run() == nil }, time.Minute, 100*time.Millisecond)
}

// repair does what an administrator does after a controller was killed and lost its last decisions.
// It makes the new controller ask the node at once which tasks run there; by itself, the controller
// would ask only minutes later. It resumes the node if Slurm drained it, and releases held tasks.
func (s *slurm) repair() {
	if time.Since(s.asked) > 5*time.Second {
		_ = exec.Command("scontrol", "reconfigure").Run()
		s.asked = time.Now()
	}
	if out, _ := exec.Command("sinfo", "--noheader", "--format=%t").Output(); bytes.HasPrefix(out, []byte("dr")) {
		_ = exec.Command("scontrol", "update", "nodename=node1", "state=resume").Run()
	}
	out, _ := exec.Command("squeue", "--noheader", "--format=%i %r").Output()
	for _, line := range nonEmptyLines(string(out)) {
		if id, reason, _ := strings.Cut(line, " "); strings.Contains(strings.ToLower(reason), "held") {
			_ = exec.Command("scontrol", "release", id).Run()
		}
	}
}

// waitUntilEmpty waits until no task waits or runs.
func (s *slurm) waitUntilEmpty(t *testing.T) {
	t.Helper()
	for range 600 {
		if out, err := exec.Command("squeue", "--noheader").Output(); err == nil && len(bytes.TrimSpace(out)) == 0 {
			return
		}
		s.repair()
		time.Sleep(500 * time.Millisecond)
	}
	out, _ := exec.Command("squeue").CombinedOutput()
	t.Fatalf("the queue is not empty after 5 minutes:\n%s", out)
}

// cancelAll ends all tasks, because tasks keep running when the daemons of Slurm are stopped.
func (s *slurm) cancelAll() {
	_ = exec.Command("scancel", "--signal=KILL", "--full", "--state=RUNNING").Run()
	_ = exec.Command("scancel", "--state=PENDING").Run()
	for range 50 {
		if out, err := exec.Command("squeue", "--noheader").Output(); err != nil || len(out) == 0 {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}
