package rest

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
)

// handlers are one method for each operation, which returns the value to send as JSON.
type handlers struct{ table table }

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
	case errors.Is(err, errCondition):
		http.Error(w, err.Error(), http.StatusConflict)
	case errors.Is(err, errInput), errors.Is(err, errID), errors.Is(err, errFirst), errors.Is(err, errTooManyKeys):
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
