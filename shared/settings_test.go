package shared_test

import (
	"strings"
	"testing"

	"github.com/partita/partita/shared"
)

func TestAddress(t *testing.T) {
	for _, valid := range []string{
		"redis://localhost", "redis://localhost:6379/", "rediss://user:p%2Fw@cache.example:6380/3", "valkey://10.0.0.5:1",
		"valkeys://[::1]:6379/0",
	} {
		var a shared.Address
		if err := a.UnmarshalText([]byte(valid)); err != nil || !a.IsSet() {
			t.Errorf("%s: %v", valid, err)
		}
	}
	for _, invalid := range []string{
		"localhost:6379", "http://localhost", "redis://", "redis://:6379", "redis://localhost/zero", "redis://localhost/-1",
		"redis://localhost/0/1", "redis://localhost?db=1", "redis://localhost#x", "unix:///run/valkey.sock",
		"redis://localhost:port", "redis://:s3cret/w@localhost", "redis://:s3cret%@localhost", "redis://s3cret#x@localhost",
	} {
		var a shared.Address
		err := a.UnmarshalText([]byte(invalid))
		if err == nil || a.IsSet() {
			t.Errorf("%s is accepted", invalid)
		} else if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("the error has the password: %v", err)
		}
	}
	var none shared.Address
	if err := none.UnmarshalText(nil); err != nil || none.IsSet() {
		t.Errorf("an empty text is %v, %v", none.IsSet(), err)
	}
}
