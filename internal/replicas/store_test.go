package replicas_test

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/internal/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var increment = replicas.NewScript(`return {tostring(redis.call('INCRBY', KEYS[1], ARGV[1]))}`)

// patient is a timeout that a server on a busy machine does not exceed.
const patient = time.Minute

func open(t *testing.T, url, password string, timeout time.Duration) (*replicas.Store, *gatewaytest.Log) {
	t.Helper()
	settings := replicas.Settings{URL: url, Password: password, Timeout: timeout}
	fatal.If(t, settings.Validate())
	log := &gatewaytest.Log{}
	store, err := replicas.Open(t.Context(), settings, slog.New(slog.NewTextHandler(log, nil)))
	fatal.If(t, err)
	t.Cleanup(store.Close)
	return store, log
}

// add adds to a number in the store.
func add(t *testing.T, s *replicas.Store, n string) (string, error) {
	t.Helper()
	result, err := s.Run(t.Context(), increment, []string{s.Key("n")}, []string{n})
	if err != nil {
		return "", err
	}
	if len(result) != 1 {
		t.Fatalf("the result is %q", result)
	}
	return result[0], nil
}

// await returns once the condition holds, which changes within about a second.
func await(t *testing.T, condition func() bool) {
	t.Helper()
	for tick := time.Tick(time.Millisecond); !condition(); {
		select {
		case <-tick:
		case <-t.Context().Done():
			t.Fatal("it does not happen")
		}
	}
}

func TestReplicasShareAStore(t *testing.T) {
	server := storetest.Start(t)
	one, _ := open(t, server.URL(""), "", patient)
	other, _ := open(t, strings.Replace(server.URL(""), "redis", "valkey", 1), "", patient)
	var users sync.WaitGroup
	for _, s := range []*replicas.Store{one, other} {
		for range 8 {
			users.Go(func() {
				for range 50 {
					if _, err := add(t, s, "1"); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	users.Wait()
	if got, err := add(t, one, "0"); got != "800" || err != nil {
		t.Errorf("800 increments make %s, %v", got, err)
	}
	if keys := server.Do(t, "KEYS", "*"); !slices.Contains(keys, "{partita}:n") {
		t.Errorf("the keys are %q", keys)
	}
}

// TestStoreIsKilledAndReturns: while the server is gone, each Run returns at once, and afterwards it is used again,
// though it has forgotten the scripts.
func TestStoreIsKilledAndReturns(t *testing.T) {
	server := storetest.Start(t)
	s, log := open(t, server.URL(""), "", patient)
	if _, err := add(t, s, "5"); err != nil {
		t.Fatal(err)
	}
	server.Kill()
	for range 1000 {
		if _, err := add(t, s, "1"); !errors.Is(err, replicas.ErrUnreachable) {
			t.Fatalf("without a server, Run returns %v", err)
		}
	}
	if s.IsReachable() || s.Fallbacks() != 1000 {
		t.Errorf("reachable: %v, %d fallbacks", s.IsReachable(), s.Fallbacks())
	}
	server.Restart(t)
	await(t, s.IsReachable)
	if got, err := add(t, s, "1"); got != "1" || err != nil {
		t.Errorf("the new server has %s, %v", got, err)
	}
	await(t, func() bool { return strings.Contains(log.String(), "reachable again") })

	// A second loss within a minute is not logged.
	server.Kill()
	await(t, func() bool { _, err := add(t, s, "1"); return err != nil })
	server.Restart(t)
	await(t, s.IsReachable)
	text := log.Take()
	if n := strings.Count(text, "is not reachable"); n != 1 {
		t.Errorf("%d losses are logged, want one:\n%s", n, text)
	}
	if n := strings.Count(text, "reachable again"); n != 1 {
		t.Errorf("%d returns are logged, want one:\n%s", n, text)
	}
}

// TestLossIsKnownWithoutUse: the state in the metrics is right while there are no operations.
func TestLossIsKnownWithoutUse(t *testing.T) {
	server := storetest.Start(t)
	s, _ := open(t, server.URL(""), "", patient)
	server.Kill()
	await(t, func() bool { return !s.IsReachable() })
	server.Restart(t)
	await(t, s.IsReachable)
	if s.Fallbacks() != 0 {
		t.Errorf("%d fallbacks without a use", s.Fallbacks())
	}
}

// TestStoreHangs: a server that accepts connections and answers nothing delays what is sent to it by the timeout, and
// nothing after that.
func TestStoreHangs(t *testing.T) {
	server := storetest.Start(t)
	const timeout = 50 * time.Millisecond
	s, _ := open(t, server.URL(""), "", timeout)
	await(t, s.IsReachable)
	server.Pause(t)
	if _, err := add(t, s, "1"); !errors.Is(err, replicas.ErrUnreachable) {
		t.Errorf("the error is %v", err)
	}
	if s.IsReachable() {
		t.Error("a server that hangs is used again")
	}
	server.Resume(t)
	await(t, s.IsReachable)
	await(t, func() bool { _, err := add(t, s, "1"); return err == nil })
}

func TestPassword(t *testing.T) {
	const secret = "s3cret/%"
	server := storetest.Start(t, "--requirepass", secret)
	for name, tt := range map[string]struct {
		userinfo, password string
		reachable          bool
	}{
		"in the URL":             {":s3cret%2F%25", "", true},
		"in a setting":           {"", secret, true},
		"the URL has precedence": {":s3cret%2F%25", "wr0ng", true},
		"wrong":                  {":wr0ng", "", false},
		"wrong in a setting":     {"", "wr0ng", false},
		"missing":                {"", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			s, log := open(t, server.URL(tt.userinfo), tt.password, patient)
			if _, err := add(t, s, "1"); (err == nil) != tt.reachable || s.IsReachable() != tt.reachable {
				t.Errorf("reachable: %v, %v", s.IsReachable(), err)
			}
			if !tt.reachable {
				await(t, func() bool { return strings.Contains(log.String(), "not reachable") })
			}
			text := log.Take()
			if strings.Contains(text, "s3cret") || strings.Contains(text, "wr0ng") {
				t.Errorf("the log has the password: %s", text)
			}
			if want := "AUTH"; !tt.reachable && !strings.Contains(text, want) && !strings.Contains(text, "WRONGPASS") {
				t.Errorf("the log has no cause: %s", text)
			}
		})
	}
}

// TestUnusableStore: a server that answers, but on which nothing can be stored, is not reachable.
func TestUnusableStore(t *testing.T) {
	for name, options := range map[string][]string{
		"full":    {"--maxmemory", "1"},
		"replica": {"--replicaof", "127.0.0.1 1"},
		"no eval": {"--rename-command", "EVAL", ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := storetest.Start(t, options...)
			s, log := open(t, server.URL(""), "", patient)
			if _, err := add(t, s, "1"); err == nil || s.IsReachable() {
				t.Errorf("it is reachable: %v", log.Take())
			}
		})
	}
}

// TestStoreStartsLater: a gateway can start before its store.
func TestStoreStartsLater(t *testing.T) {
	server := storetest.Start(t)
	server.Kill()
	s, _ := open(t, server.URL(""), "", patient)
	if _, err := add(t, s, "1"); !errors.Is(err, replicas.ErrUnreachable) {
		t.Errorf("the error is %v", err)
	}
	server.Restart(t)
	await(t, s.IsReachable)
}

// TestCloseWhileStoreHangs: a gateway can stop although its store does not answer.
func TestCloseWhileStoreHangs(t *testing.T) {
	server := storetest.Start(t)
	s, _ := open(t, server.URL(""), "", 50*time.Millisecond)
	server.Pause(t)
	var waiting sync.WaitGroup
	for range 8 {
		waiting.Go(func() {
			if _, err := add(t, s, "1"); err == nil {
				t.Error("a server that hangs has answered")
			}
		})
	}
	waiting.Wait()
	s.Close()
	if _, err := add(t, s, "1"); !errors.Is(err, replicas.ErrUnreachable) {
		t.Errorf("after Close, the error is %v", err)
	}
	server.Resume(t)
}
