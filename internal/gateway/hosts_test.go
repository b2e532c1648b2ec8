package gateway_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/browser"
	"github.com/partita/partita/internal/gateway/playground"
)

func hosts(t *testing.T, text string) browser.Hosts {
	t.Helper()
	var h browser.Hosts
	fatal.If(t, h.UnmarshalText([]byte(text)))
	return h
}

func TestHostsThatCannotBeSet(t *testing.T) {
	for bad, want := range map[string]string{
		"shop.example,":         "write a name",
		"a b":                   "write a name",
		"bücher.example":        "write a name",
		"https://shop.example":  "the name alone",
		"shop.example/":         "the name alone",
		"me@shop.example":       "the name alone",
		"shop.example:443":      "leave out the port",
		"[::1]:8080":            "leave out the port",
		"*.shop.example":        "write each host out",
		"*,shop.example":        "write each host out",
		"127.0.0.1, [::1":       "leave out the port",
		"shop.example,localho*": "write each host out",
	} {
		err := new(browser.Hosts).UnmarshalText([]byte(bad))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", bad, err, want)
		}
	}
}

func TestHostsOfThisMachineAlone(t *testing.T) {
	local := browser.Hosts{}.WithLoopback()
	for _, tt := range []struct {
		hosts browser.Hosts
		want  bool
	}{
		{local, true},
		{hosts(t, "localhost,127.0.0.2,[::1]").WithLoopback(), true},
		{hosts(t, "localhost,shop.example").WithLoopback(), false},
		{hosts(t, "192.168.1.5").WithLoopback(), false},
		{hosts(t, "*").WithLoopback(), false},
		{browser.Hosts{}, false},
	} {
		if got := tt.hosts.IsLoopback(); got != tt.want {
			t.Errorf("%v: got %v, want %v", tt.hosts, got, tt.want)
		}
	}
	several := hosts(t, "a.example,b.example,c.example")
	one, other := several.With("d.example"), several.With("e.example")
	const before = "a.example,b.example,c.example,"
	if one.String() != before+"d.example" || other.String() != before+"e.example" {
		t.Errorf("hosts with one more are %v and %v", one, other)
	}
}

// A page whose name is resolved to an address of the gateway sends that name as the Host.
func TestDNSRebinding(t *testing.T) {
	local, configured := browser.Hosts{}.WithLoopback(), hosts(t, "Shop.Example., 10.0.0.5,[fd00:0::1]")
	for _, test := range []struct {
		hosts   browser.Hosts
		allowed []string
		denied  []string
	}{
		{
			local,
			[]string{
				"localhost", "localhost:8080", "LocalHost.:8080", "127.0.0.1:8080", "127.1.2.3", "[::1]:8080", "[::1]",
				"[::ffff:127.0.0.1]:8080",
			},
			[]string{
				"", "evil.test", "evil.test:8080", "localhost.evil.test:8080", "evil-localhost", "127.0.0.1.evil.test",
				"192.168.1.5:8080", "0.0.0.0:8080", "[::]:8080", "[fd00::1]:8080", "2130706433", "::1", "localhost:8080:80",
				"evil.test:127.0.0.1", "shop.example",
			},
		},
		{
			configured,
			[]string{
				"shop.example", "SHOP.example.:443", "10.0.0.5:8080", "[::ffff:10.0.0.5]:8080",
				"[FD00::1]:8080", "[fd00::1%25eth0]",
			},
			[]string{"localhost:8080", "127.0.0.1", "www.shop.example", "shop.example.evil.test", "10.0.0.50", "[fd00::2]"},
		},
		{configured.WithLoopback(), []string{"localhost:8080", "shop.example"}, []string{"evil.test"}},
		{browser.Hosts{}, []string{"evil.test", "localhost", ""}, nil},
		{hosts(t, "*").WithLoopback(), []string{"evil.test", "localhost"}, nil},
	} {
		c, _ := config(t)
		c.Browser.AllowedHosts = test.hosts
		handler := gateway.New(c)
		get := func(host, path string) *httptest.ResponseRecorder {
			request, response := httptest.NewRequest(http.MethodGet, path, nil), httptest.NewRecorder()
			request.Host = host
			request.Header.Set("X-Forwarded-Host", "localhost")
			handler.ServeHTTP(response, request)
			return response
		}
		for _, host := range test.allowed {
			if got := get(host, "/graphql?query={__typename}"); got.Code != http.StatusOK {
				t.Errorf("%v: %q: got %d %s", test.hosts, host, got.Code, got.Body)
			}
		}
		for _, host := range test.denied {
			for _, path := range []string{"/graphql?query={__typename}", "/", "/assets/main.js", "/plan", "/none"} {
				got := get(host, path)
				if got.Code != http.StatusMisdirectedRequest || !strings.Contains(got.Body.String(), "ALLOWED_HOSTS") {
					t.Errorf("%v: %q: %s: got %d %s", test.hosts, host, path, got.Code, got.Body)
				}
			}
			for _, path := range []string{"/healthz", "/readyz"} { // load balancers have only an address
				if got := get(host, path); got.Code != http.StatusOK {
					t.Errorf("%v: %q: %s is %d", test.hosts, host, path, got.Code)
				}
			}
		}
	}
}

// The host of an absolute request target takes the place of the header.
func TestHostOfAnAbsoluteTarget(t *testing.T) {
	c, _ := config(t)
	c.Browser.AllowedHosts = browser.Hosts{}.WithLoopback()
	addr := attacked(t, c)
	for target, want := range map[string]int{
		"http://evil.test/graphql?query={__typename}": http.StatusMisdirectedRequest,
		"http://localhost/graphql?query={__typename}": http.StatusOK,
	} {
		request := "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
		if status, body, err := send(addr, request); err != nil || status != want {
			t.Errorf("%s: got %d %s, %v", target, status, body, err)
		}
	}
}

func TestTokenOfThePageIsForThisMachine(t *testing.T) {
	c, _ := config(t)
	c.Playground.Files = fstest.MapFS{"index.html": {Data: []byte(`<script type="application/json">{{.}}</script>`)}}
	c.Playground.Identities = func() []playground.Identity {
		return []playground.Identity{{Name: "Ada", Headers: map[string]string{"Authorization": "Bearer secret"}}}
	}
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	for _, test := range []struct {
		remote  string
		trusted []netip.Prefix
		header  []string
		want    bool
	}{
		{"127.0.0.1:50000", nil, nil, true},
		{"[::1]:50000", nil, nil, true},
		{"[::ffff:127.0.0.1]:50000", nil, nil, true},
		{"192.168.1.7:50000", nil, nil, false},
		{"[fe80::1%eth0]:50000", nil, nil, false},
		{"192.168.1.7:50000", nil, []string{"X-Forwarded-For", "127.0.0.1"}, false},
		{"127.0.0.1:50000", nil, []string{"X-Forwarded-For", "192.168.1.7"}, false},
		{"127.0.0.1:50000", nil, []string{"X-Forwarded-For", "127.0.0.1"}, false},
		{"127.0.0.1:50000", nil, []string{"Forwarded", "for=127.0.0.1"}, false},
		{"127.0.0.1:50000", nil, []string{"Via", "1.1 proxy"}, false},
		{"127.0.0.1:50000", nil, []string{"X-Real-Ip", "192.168.1.7"}, false},
		{"127.0.0.1:50000", nil, []string{"Cf-Connecting-Ip", "192.168.1.7"}, false},
		{"127.0.0.1:50000", nil, []string{"X-Forwarded-Host", "shop.example"}, false},
		{"127.0.0.1:50000", nil, []string{"X-Forwarded-Proto", "https"}, false},
		{"127.0.0.1:50000", nil, []string{"True-Client-Ip", ""}, false},
		{"127.0.0.1:50000", nil, []string{"X-Of-A-Proxy-Of-Tomorrow", "1"}, false},
		{"127.0.0.1:50000", nil, []string{"Sec-Ch-Ua", `"Chromium"`}, true},
		{"127.0.0.1:50000", loopback, []string{"X-Forwarded-For", "192.168.1.7"}, false},
		{"127.0.0.1:50000", loopback, []string{"X-Forwarded-For", "127.0.0.1, 192.168.1.7"}, false},
		{"127.0.0.1:50000", loopback, []string{"X-Forwarded-For", "::1"}, true},
	} {
		c.Callers.TrustedProxies = test.trusted
		request := httptest.NewRequest(http.MethodGet, "/", nil)
		request.RemoteAddr = test.remote
		for i := 0; i < len(test.header); i += 2 {
			request.Header.Set(test.header[i], test.header[i+1])
		}
		got := httptest.NewRecorder()
		gateway.New(c).ServeHTTP(got, request)
		if got.Code != http.StatusOK || strings.Contains(got.Body.String(), "secret") != test.want {
			t.Errorf("%s: got %d %s", fmt.Sprint(test), got.Code, got.Body)
		}
	}
}
