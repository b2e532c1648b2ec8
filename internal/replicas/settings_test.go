package replicas_test

import (
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/replicas"
)

func TestSettings(t *testing.T) {
	valid := replicas.Settings{Timeout: time.Second}
	if err := valid.Validate(); err != nil || valid.IsSet() {
		t.Errorf("without a store: %v, is set: %v", err, valid.IsSet())
	}
	for _, url := range []string{
		"redis://localhost", "redis://localhost:6379/", "rediss://user:p%2Fw@cache.example:6380/3", "valkey://10.0.0.5:1",
		"valkeys://[::1]:6379/0", "redis://localhost?prefix=shop", "redis://localhost/3?prefix=a%3Ab",
	} {
		s := valid
		s.URL = url
		if err := s.Validate(); err != nil || !s.IsSet() {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, url := range []string{
		"localhost:6379", "http://localhost", "redis://", "redis://:6379", "redis://localhost/zero", "redis://localhost/-1",
		"redis://localhost/0/1", "redis://localhost?db=1", "redis://localhost?prefix=",
		"redis://localhost?prefix=a&db=1", "redis://localhost?prefix=a&prefix=b", "redis://localhost?",
		"redis://localhost#x", "unix:///run/valkey.sock",
		"redis://localhost:port", "redis://:s3cret/w@localhost", "redis://:s3cret%@localhost", "redis://s3cret#x@localhost",
	} {
		s := valid
		s.URL = url
		err := s.Validate()
		if err == nil {
			t.Errorf("%s is accepted", url)
		} else if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("the error has the password: %v", err)
		}
	}
	for _, s := range []replicas.Settings{{}, {Timeout: -1}} {
		if s.Validate() == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}
