package rest

import (
	"context"
	"net/http"
	"os"

	"github.com/partita/partita/bench/internal/service"
)

// OnSDK returns the handlers on the AWS SDK.
func OnSDK(ctx context.Context, s service.Settings) (http.Handler, error) {
	client, err := service.NewClient(ctx)
	return routes(sdkTable{client, s.TableName}), err
}

// OnNetHTTP returns the handlers on net/http, with the credentials in the environment.
func OnNetHTTP(s service.Settings) http.Handler {
	return routes(newHTTPTable(s.Endpoint, s.TableName, &signer{
		id: os.Getenv("AWS_ACCESS_KEY_ID"), secret: os.Getenv("AWS_SECRET_ACCESS_KEY"), region: os.Getenv("AWS_REGION"),
	}))
}

func routes(t table) http.Handler {
	h := handlers{t}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /users/{id}", answer(h.user))
	mux.HandleFunc("GET /viewer", answer(h.viewer))
	mux.HandleFunc("GET /users", answer(h.users))
	mux.HandleFunc("GET /users/{id}/followers", answer(h.followers))
	mux.HandleFunc("GET /users/{id}/orders", answer(h.orders))
	mux.HandleFunc("GET /users/{id}/followers/following", answer(h.followersFollowing))
	mux.HandleFunc("GET /orders/items", answer(h.ordersWithItems))
	mux.HandleFunc("GET /orders/{id}", answer(h.order))
	mux.HandleFunc("GET /orders", answer(h.ordersByStatus))
	mux.HandleFunc("POST /nodes", answer(h.nodes))
	mux.HandleFunc("POST /users", answer(h.createUser))
	mux.HandleFunc("PATCH /viewer", answer(h.rename))
	mux.HandleFunc("POST /viewer/following/{id}", answer(h.follow))
	mux.HandleFunc("POST /orders", answer(h.placeOrder))
	mux.HandleFunc("PATCH /orders/{id}", answer(h.move))
	return mux
}
