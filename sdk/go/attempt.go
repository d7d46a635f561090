package docfetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"
)

// attempt sends the request once. A response is a success; every other result is an *Error or a *ConnectionError. Answers in JSON are read to
// their end, so that one that breaks off can be repeated.
func (t *transport) attempt(request *http.Request, isJSON bool) (*http.Response, error) {
	response, err := t.send(request)
	if err != nil {
		return nil, err
	}
	isSuccess := response.StatusCode >= 200 && response.StatusCode < 300
	if isSuccess && !isJSON {
		return response, nil
	}
	defer response.Body.Close()
	if !isSuccess {
		return nil, errorOf(response)
	}
	if response.StatusCode != http.StatusNoContent && !hasJSON(response) {
		return nil, t.UnexpectedAnswer(response, fmt.Errorf("its type is %q", response.Header.Get("Content-Type")))
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

func hasJSON(response *http.Response) bool {
	name, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	return err == nil && (name == "application/json" || strings.HasSuffix(name, "+json"))
}

// UnexpectedAnswer is the error for a success that is not from Docfetch, e.g. a page of a proxy. The generated code calls it.
func (t *transport) UnexpectedAnswer(response *http.Response, cause error) error {
	return unexpectedAnswer(response, cause)
}

// send returns a response whose body may still arrive. The time limit applies to the wait for the response, and to each wait
// for more of it: the download of a large document has no limit.
func (t *transport) send(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(request.Context())
	limit := t.options.Timeout
	timer := time.AfterFunc(limit, func() {
		cancel(fmt.Errorf("no data within %v: %w", limit, os.ErrDeadlineExceeded))
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
	response.Body = &bodyOf{response.Body, ctx, cancel, timer, limit}
	return response, nil
}

// bodyOf is a body whose context ends with it, and whose errors are those of the connection.
type bodyOf struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	// timer runs only while a Read waits: a reader may take its time.
	timer *time.Timer
	limit time.Duration
}

func (b *bodyOf) Read(into []byte) (int, error) {
	b.timer.Reset(b.limit)
	count, err := b.ReadCloser.Read(into)
	b.timer.Stop()
	if err != nil && !errors.Is(err, io.EOF) {
		if cause := context.Cause(b.ctx); cause != nil {
			err = cause
		}
		err = &ConnectionError{err}
	}
	return count, err
}

func (b *bodyOf) Close() error {
	defer b.cancel(nil)
	return b.ReadCloser.Close()
}
