// Package docfetch is the client of a Docfetch service. The types of bodies and the operations are in its package api.
package docfetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"docfetch.example.com/go/api"
)

// Options of a client.
type Options struct {
	// BaseURL of the service, e.g. "https://docfetch.example.com".
	BaseURL string
	// APIKey of your environment.
	APIKey string
	// Token returns a UI token; it is called before each request, so that it can renew the token.
	Token func(context.Context) (string, error)
	// Lang is the language of messages and labels, "en" or "de".
	Lang string
	// MaxRetries of a request; the default is 2, a negative number disables retries.
	MaxRetries int
	// MaxRetryWait: if Retry-After is longer, the error is returned immediately. The default is 30 seconds.
	MaxRetryWait time.Duration
	// Timeout of an attempt until the response begins, and of each wait for more of it; the default is 60 seconds. Use the
	// context to limit the total time.
	Timeout time.Duration
	// Transport sends the requests, e.g. through a proxy; the default is http.DefaultTransport.
	Transport http.RoundTripper
}

// Client of a Docfetch service. It can be kept and shared by goroutines. Each operation sends those of the credentials that its
// endpoint accepts. Errors of the service are an *Error, see errors.As; a request without a response is a *ConnectionError.
type Client struct {
	*api.APIClient
	baseURL string
	http    *http.Client
}

// Token returns a function for Options that always returns the same token.
func Token(token string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return token, nil }
}

// New creates a client.
func New(options Options) (*Client, error) {
	base, err := url.Parse(options.BaseURL)
	if err != nil || !isBaseURL(base) || strings.ContainsAny(options.BaseURL, "?#") {
		// Without its value, which may be a key in the wrong place.
		return nil, errors.New("docfetch: BaseURL is not an http(s) URL without credentials, query and fragment")
	}
	if err := checkCredential("APIKey", options.APIKey); err != nil {
		return nil, err
	}
	if options.MaxRetries == 0 {
		options.MaxRetries = 2
	}
	if options.MaxRetryWait == 0 {
		options.MaxRetryWait = 30 * time.Second
	}
	if options.Timeout == 0 {
		options.Timeout = time.Minute
	}
	if options.Transport == nil {
		options.Transport = http.DefaultTransport
	}
	baseURL := strings.TrimRight(options.BaseURL, "/")
	client := &http.Client{
		Transport: &transport{options: options, prefix: strings.TrimRight(base.EscapedPath(), "/")},
		// The service never redirects, and the key must not be sent to another server.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	configuration := api.NewConfiguration()
	configuration.UserAgent = "docfetch-go"
	configuration.HTTPClient = client
	configuration.Servers = api.ServerConfigurations{{URL: baseURL}}
	return &Client{APIClient: api.NewAPIClient(configuration), baseURL: baseURL, http: client}, nil
}

func isBaseURL(base *url.URL) bool {
	return (base.Scheme == "http" || base.Scheme == "https") && base.Host != "" && base.User == nil
}

// checkCredential refuses, without showing it, what cannot be a header, e.g. with the line break at the end of a file.
func checkCredential(name, value string) error {
	for _, character := range value {
		if character <= ' ' || character > '~' {
			return fmt.Errorf("docfetch: %s has characters that no credential has, such as a space or line break", name)
		}
	}
	return nil
}
