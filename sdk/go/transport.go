package docfetch

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand"
	"net/http"
	"strings"
	"time"

	"docfetch.example.com/go/api"
)

const (
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 8 * time.Second
	keyHeader    = "Idempotency-Key"
)

// transport adds credentials, language and idempotency keys to requests, repeats those that are safe to repeat, and returns the
// errors of the service as errors.
type transport struct {
	options Options
	// The path of the base URL.
	prefix string
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(original *http.Request) (*http.Response, error) {
	request := original.Clone(original.Context())
	body, err := readBody(original)
	if err != nil {
		return nil, err
	}
	operation := t.operationOf(request)
	if err := t.prepare(request, operation); err != nil {
		return nil, err
	}
	isJSON := operation.JSON && request.Header.Get("Accept") == "application/json"
	for attempt := 0; ; attempt++ {
		isLast := attempt >= t.options.MaxRetries
		wait := time.Duration(mathrand.Float64() * float64(min(maxBackoff, firstBackoff<<min(attempt, 10))))
		if body != nil {
			request.Body = io.NopCloser(bytes.NewReader(body))
		}
		response, err := t.attempt(request, isJSON)
		if err == nil {
			return response, nil
		}
		if isLast || request.Context().Err() != nil || !isRetryable(request, err) {
			return nil, err
		}
		var failure *Error
		if errors.As(err, &failure) && failure.RetryAfter >= 0 {
			if failure.RetryAfter > t.options.MaxRetryWait {
				return nil, err
			}
			wait = failure.RetryAfter
		}
		if err := pause(request.Context(), wait); err != nil {
			return nil, &ConnectionError{err}
		}
	}
}

// The bodies of requests are small: JSON of the generated code.
func readBody(request *http.Request) ([]byte, error) {
	if request.Body == nil {
		return nil, nil
	}
	defer request.Body.Close()
	return io.ReadAll(request.Body)
}

func (t *transport) prepare(request *http.Request, operation api.Operation) error {
	if t.options.Lang != "" && request.Header.Get("Lang") == "" {
		request.Header.Set("Lang", t.options.Lang)
	}
	if operation.Idempotent && request.Header.Get(keyHeader) == "" {
		request.Header.Set(keyHeader, newKey())
	}
	if operation.Key && t.options.APIKey != "" {
		request.Header.Set("X-API-KEY", t.options.APIKey)
	}
	if operation.Token && t.options.Token != nil {
		token, err := t.options.Token(request.Context())
		if err != nil {
			return err
		}
		if err := checkCredential("token", token); err != nil {
			return err
		}
		request.Header.Set("X-TOKEN", token)
	}
	return nil
}

// operationOf finds the operation of a request; without one it gets no credentials.
func (t *transport) operationOf(request *http.Request) api.Operation {
	path := strings.TrimPrefix(request.URL.EscapedPath(), t.prefix)
	for _, operation := range api.Operations {
		if operation.Method == request.Method && hasPath(operation.Path, path) {
			return operation
		}
	}
	return api.Operation{}
}

func hasPath(template, path string) bool {
	parts, found := strings.Split(template, "/"), strings.Split(path, "/")
	if len(parts) != len(found) {
		return false
	}
	for i, part := range parts {
		if !strings.HasPrefix(part, "{") && part != found[i] {
			return false
		}
	}
	return true
}

func newKey() string {
	var bytes [16]byte
	rand.Read(bytes[:]) // never fails
	return fmt.Sprintf("%x", bytes)
}
