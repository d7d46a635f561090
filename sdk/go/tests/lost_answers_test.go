package docfetch_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	docfetch "docfetch.example.com/go"
)

// downloadFrom requests a document from a server that sends its bytes with the function.
func downloadFrom(t *testing.T, ctx context.Context, timeout time.Duration, send func(io.Writer)) (*docfetch.Download, error) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment")
		w.Header().Set("Content-Length", "80")
		send(flushing{w})
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	client := clientOf(t, docfetch.Options{BaseURL: server.URL, APIKey: "k", Timeout: timeout})
	return client.DownloadDocument(ctx, uuid, docfetch.DownloadOptions{})
}

// stalling requests a document of which ten bytes arrive, and then nothing.
func stalling(t *testing.T, ctx context.Context, timeout time.Duration) *docfetch.Download {
	end := make(chan struct{})
	download, err := downloadFrom(t, ctx, timeout, func(w io.Writer) {
		w.Write(make([]byte, 10))
		<-end
	})
	t.Cleanup(func() { close(end) })
	check(t, err == nil, err)
	t.Cleanup(func() { download.Close() })
	return download
}

type flushing struct{ http.ResponseWriter }

func (f flushing) Write(bytes []byte) (int, error) {
	count, err := f.ResponseWriter.Write(bytes)
	f.ResponseWriter.(http.Flusher).Flush()
	return count, err
}

func TestADownloadMayTakeLongerThanTheTimeLimitAsLongAsBytesArrive(t *testing.T) {
	t.Parallel()
	download, err := downloadFrom(t, ctx, 2*time.Second, func(w io.Writer) {
		for range 8 {
			time.Sleep(400 * time.Millisecond)
			w.Write(make([]byte, 10))
		}
	})
	check(t, err == nil, err)
	defer download.Close()
	read, err := io.ReadAll(download)
	check(t, err == nil && len(read) == 80, err, len(read))
}

func TestAReaderMayTakeItsTime(t *testing.T) {
	t.Parallel()
	download, err := downloadFrom(t, ctx, time.Second, func(w io.Writer) { w.Write(make([]byte, 80)) })
	check(t, err == nil, err)
	defer download.Close()
	_, err = download.Read(make([]byte, 10))
	check(t, err == nil, err)
	time.Sleep(1500 * time.Millisecond)
	rest, err := io.ReadAll(download)
	check(t, err == nil && len(rest) == 70, err, len(rest))
}

func TestADownloadThatStallsEndsAfterTheTimeLimit(t *testing.T) {
	t.Parallel()
	// Without the time limit, this one would end the test.
	limited, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	read, err := io.ReadAll(stalling(t, limited, time.Second))
	var failure *docfetch.ConnectionError
	check(t, len(read) == 10 && errors.As(err, &failure) && errors.Is(err, os.ErrDeadlineExceeded), err)
}

func TestADownloadThatEndsEarlyIsAnErrorOfTheConnection(t *testing.T) {
	download, err := downloadFrom(t, ctx, time.Minute, func(w io.Writer) { w.Write(make([]byte, 10)) })
	check(t, err == nil, err)
	defer download.Close()
	_, err = io.ReadAll(download)
	var failure *docfetch.ConnectionError
	check(t, errors.As(err, &failure) && errors.Is(err, io.ErrUnexpectedEOF), err)
}

func TestAContextThatEndsEndsADownload(t *testing.T) {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	download := stalling(t, limited, time.Minute)
	_, err := io.ReadFull(download, make([]byte, 10))
	check(t, err == nil, err)
	cancel()
	_, err = io.ReadAll(download)
	check(t, errors.Is(err, context.Canceled), err)
}

func TestRepeatsARequestWhoseAnswerBrokeOff(t *testing.T) {
	broken := answer{status: 200, body: `{"data":`, header: map[string]string{"Content-Length": "100"}}
	url, _ := scripted(t, broken, empty)
	client := clientOf(t, docfetch.Options{BaseURL: url, Token: docfetch.Token("t")})
	_, _, err := client.ConnectionsAPI.ListConnections(ctx).Execute()
	check(t, err == nil, err)
}

func TestSendsNothingMoreAfterItsContextHasEnded(t *testing.T) {
	for range 50 {
		limited, cancel := context.WithCancel(ctx)
		attempts := 0
		transport := roundTrip(func(*http.Request) (*http.Response, error) {
			attempts++
			header := http.Header{"Retry-After": {"0"}}
			body := closing{cancel}
			return &http.Response{StatusCode: 503, Header: header, Body: body}, nil
		})
		client := clientOf(t, docfetch.Options{BaseURL: "http://docfetch.example.com", Token: docfetch.Token("t"), Transport: transport})
		_, _, err := client.ConnectionsAPI.ListConnections(limited).Execute()
		check(t, err != nil && attempts == 1, err, attempts)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// closing is an empty body after which the caller gives up.
type closing struct{ cancel func() }

func (c closing) Read([]byte) (int, error) { return 0, io.EOF }

func (c closing) Close() error {
	c.cancel()
	return nil
}
