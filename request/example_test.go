package request_test

import (
	"context"
	"fmt"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// A request of a program beside the gateway is like those of the gateway: a range of one partition, of one tenant.
func Example() {
	ctx := request.WithTenant(context.Background(), "acme")
	firstTasks := request.Query{PK: "PROJECT#p1", From: "TASK#00001", To: "TASK#00009", Limit: 10}
	fmt.Println(firstTasks.Contains("TASK#00002"), firstTasks.Contains("TASK#00010"))

	ofTenant, canExist := firstTasks.Of(keys.Tenant(request.TenantOf(ctx) + "#")) // package table does this
	fmt.Println(ofTenant.PK, canExist)
	// Output:
	// true false
	// acme#PROJECT#p1 true
}
