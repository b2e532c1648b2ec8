package tabletest

import (
	"flag"
	"os"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// To read these certificates takes longer than all else when a table is opened, and none of them serves over TLS.
func init() { os.Unsetenv("AWS_CA_BUNDLE") }

// Isolate removes the settings of the caller's AWS account and of its table from the environment. It is called by
// TestMain of packages whose tests open tables by settings.
func Isolate() {
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "AWS_") || name == "DYNAMODB_ENDPOINT" {
			os.Unsetenv(name)
		}
	}
	os.Setenv("AWS_CONFIG_FILE", os.DevNull)
	os.Setenv("AWS_SHARED_CREDENTIALS_FILE", os.DevNull)
}

// RunAtOnce is how many parallel tests run at a time in a package whose tests mostly wait. TestMain calls it.
func RunAtOnce(n int) {
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
		panic(err)
	}
}

// Stored returns an item of the table with more attributes in pairs of name and text.
func Stored(pk, sk string, pairs ...string) item.Item {
	it := item.Item{
		{Name: keys.AttributePK, Value: item.StringValue(pk)},
		{Name: keys.AttributeSK, Value: item.StringValue(sk)},
	}
	for i := 0; i < len(pairs); i += 2 {
		it = append(it, item.Attribute{Name: pairs[i], Value: item.StringValue(pairs[i+1])})
	}
	return it
}

// DeadEndpoint is the URL of a port that no process listens on: that of tcpmux, which nothing serves. The kernel gives
// it to nobody who asks for a free one.
const DeadEndpoint = "http://127.0.0.1:1"
