package docfetch

import (
	"context"
	"errors"
	"net/http"
	"time"

	"docfetch.example.com/go/api"
)

func isIdempotent(request *http.Request) bool {
	switch request.Method {
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete: // RFC 9110 9.2.2
		return true
	}
	return request.Header.Get(keyHeader) != ""
}

func isRetryable(request *http.Request, err error) bool {
	var failure *Error
	if !errors.As(err, &failure) {
		return isIdempotent(request)
	}
	switch failure.Status {
	case http.StatusTooManyRequests: // It was not processed.
		return true
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return isIdempotent(request)
	case http.StatusConflict:
		// The first request with this key is still being processed; a retry returns its response.
		return failure.Code == api.CodeIdempotencyInProgress
	}
	return false
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	// Both may have happened; then nothing more is sent.
	return context.Cause(ctx)
}
