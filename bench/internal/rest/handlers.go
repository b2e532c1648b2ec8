package rest

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"strconv"

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

// handlers are one method for each operation, which returns the value to send as JSON.
type handlers struct{ table table }

func routes(t table) http.Handler {
	h := handlers{t}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /users/{id}", answer(h.user))
	mux.HandleFunc("GET /viewer", answer(h.viewer))
	mux.HandleFunc("GET /users", answer(h.users))
	mux.HandleFunc("GET /users/{id}/followers", answer(h.followers))
	mux.HandleFunc("GET /users/{id}/orders", answer(h.orders))
	mux.HandleFunc("GET /orders/{id}", answer(h.order))
	mux.HandleFunc("GET /orders", answer(h.ordersByStatus))
	mux.HandleFunc("POST /nodes", answer(h.nodes))
	return mux
}

var (
	errNotFound  = errors.New("there is no such object")
	errForbidden = errors.New("this is not visible to you")
	errFirst     = errors.New("first must be a number from 1 to 100")
)

func answer(handle func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := handle(r)
		if err != nil {
			fail(w, r, err)
			return
		}
		text, err := json.Marshal(v)
		if err != nil {
			fail(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		_, _ = w.Write(text) // fails only if the client has gone
	}
}

func fail(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, errNotFound):
		http.Error(w, err.Error(), http.StatusNotFound)
	case errors.Is(err, errForbidden):
		http.Error(w, err.Error(), http.StatusForbidden)
	case errors.Is(err, errID), errors.Is(err, errFirst), errors.Is(err, errTooManyKeys):
		http.Error(w, err.Error(), http.StatusBadRequest)
	default:
		slog.ErrorContext(r.Context(), "a request failed", "path", r.URL.Path, "error", err)
		http.Error(w, "something went wrong", http.StatusInternalServerError)
	}
}

// pageSize returns a parameter of the URL: the number of objects in a page.
func pageSize(r *http.Request, name string) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return 10, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 100 {
		return 0, errFirst
	}
	return n, nil
}
