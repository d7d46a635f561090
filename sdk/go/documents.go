package docfetch

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// Download is a document whose bytes are read as they arrive. Close it.
type Download struct {
	io.ReadCloser
	// Filename at the source. It comes from an e-mail or a portal: never use it as a path.
	Filename string
	// Size is the number of bytes in this response; -1 if unknown.
	Size int64
	// SHA256 of the whole document in hexadecimal; empty if unknown.
	SHA256 string
	// Partial: the bytes are those of the Range that was requested.
	Partial bool
}

// DownloadOptions of a download.
type DownloadOptions struct {
	// Range of the bytes, e.g. "bytes=100-".
	Range string
}

// DownloadDocument downloads the bytes of a document of any size.
func (c *Client) DownloadDocument(ctx context.Context, transaction string, options DownloadOptions) (*Download, error) {
	path := "/v1/transactions/" + url.PathEscape(transaction) + "/document"
	return c.download(ctx, path, "application/octet-stream", options)
}

// DownloadRendition is like DownloadDocument, for a rendition of the document.
func (c *Client) DownloadRendition(
	ctx context.Context, transaction, rendition string, options DownloadOptions,
) (*Download, error) {
	path := "/v1/transactions/" + url.PathEscape(transaction) + "/renditions/" + url.PathEscape(rendition)
	return c.download(ctx, path, "*/*", options)
}

var digestTag = regexp.MustCompile(`^"([0-9a-f]{64})"$`)

func (c *Client) download(ctx context.Context, path, accept string, options DownloadOptions) (*Download, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.baseURL+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	if options.Range != "" {
		request.Header.Set("Range", options.Range)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	if response.Header.Get("Content-Disposition") == "" { // e.g. a page of a proxy
		response.Body.Close()
		return nil, unexpectedAnswer(response, errors.New("there is no Content-Disposition"))
	}
	download := &Download{
		ReadCloser: response.Body,
		Filename:   filenameOf(response.Header.Get("Content-Disposition")),
		Size:       response.ContentLength,
		Partial:    response.StatusCode == http.StatusPartialContent,
	}
	if match := digestTag.FindStringSubmatch(response.Header.Get("ETag")); match != nil {
		download.SHA256 = match[1]
	}
	return download, nil
}

var extendedName = regexp.MustCompile(`(?i);\s*filename\*=UTF-8''([^;\s]+)`)

// The extended form, which supports all characters, takes precedence (RFC 6266).
func filenameOf(header string) string {
	if match := extendedName.FindStringSubmatch(header); match != nil {
		if name, err := url.PathUnescape(match[1]); err == nil {
			return name
		}
	}
	_, parameters, err := mime.ParseMediaType(extendedName.ReplaceAllString(header, ""))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(parameters["filename"])
}
