package docfetch

import (
	"bytes"
	"context"
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
	if err := t.prepare(request); err != nil {
		return nil, err
	}
	for attempt := 0; ; attempt++ {
		isLast := attempt >= t.options.MaxRetries
		wait := time.Duration(mathrand.Float64() * float64(min(maxBackoff, firstBackoff<<min(attempt, 10))))
		if body != nil {
			request.Body = io.NopCloser(bytes.NewReader(body))
		}
		response, err := t.send(request)
		if err != nil {
			if isLast || request.Context().Err() != nil || !isIdempotent(request) {
				return nil, err
			}
		} else if isSuccess(response) {
			return response, nil
		} else {
			failure := errorOf(response)
			response.Body.Close()
			if isLast || !isRetryable(request, failure) || failure.RetryAfter > t.options.MaxRetryWait {
				return nil, failure
			}
			if failure.RetryAfter >= 0 {
				wait = failure.RetryAfter
			}
		}
		if err := pause(request.Context(), wait); err != nil {
			return nil, &ConnectionError{err}
		}
	}
}

func isSuccess(response *http.Response) bool {
	return response.StatusCode >= 200 && response.StatusCode < 300
}

// The bodies of requests are small: JSON of the generated code.
func readBody(request *http.Request) ([]byte, error) {
	if request.Body == nil {
		return nil, nil
	}
	defer request.Body.Close()
	return io.ReadAll(request.Body)
}

func (t *transport) prepare(request *http.Request) error {
	operation := t.operationOf(request)
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

// send makes one attempt. The time limit applies until the response begins: the download of a large document has no limit.
func (t *transport) send(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(request.Context())
	timer := time.AfterFunc(t.options.Timeout, func() {
		cancel(fmt.Errorf("no response within %v", t.options.Timeout))
	})
	response, err := t.options.Transport.RoundTrip(request.WithContext(ctx))
	if !timer.Stop() && err == nil {
		response.Body.Close()
		err = context.Cause(ctx)
	}
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		cancel(nil)
		return nil, &ConnectionError{err}
	}
	response.Body = &bodyOf{response.Body, cancel}
	return response, nil
}

// bodyOf is a body whose context ends with it, and whose errors are those of the connection.
type bodyOf struct {
	io.ReadCloser
	cancel context.CancelCauseFunc
}

func (b *bodyOf) Read(into []byte) (int, error) {
	count, err := b.ReadCloser.Read(into)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &ConnectionError{err}
	}
	return count, err
}

func (b *bodyOf) Close() error {
	defer b.cancel(nil)
	return b.ReadCloser.Close()
}

func newKey() string {
	var bytes [16]byte
	rand.Read(bytes[:]) // never fails
	return fmt.Sprintf("%x", bytes)
}
