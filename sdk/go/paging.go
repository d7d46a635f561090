package docfetch

import (
	"context"
	"iter"
	"net/http"
	"time"

	"docfetch.example.com/go/api"
)

// request is a list operation of the package api, such as api.ApiListIdentitiesRequest.
type request[R, P any] interface {
	Cursor(string) R
	Execute() (P, *http.Response, error)
}

// page is a pointer to a list of the package api, such as api.IdentityPage.
type page[T, M any] interface {
	GetData() []T
	GetMeta() M
}

// Paginate iterates over the items of all pages, and ends after an error:
//
//	for identity, err := range docfetch.Paginate(client.IdentitiesAPI.ListIdentities(ctx).Limit(500)) { … }
func Paginate[R request[R, P], P page[T, M], T, M any](list R) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			page, _, err := list.Execute()
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page.GetData() {
				if !yield(item, nil) {
					return
				}
			}
			cursor := nextCursor(page.GetMeta())
			if cursor == "" {
				return
			}
			list = list.Cursor(cursor)
		}
	}
}

// nextCursor is empty on the last page.
func nextCursor(meta any) string {
	switch meta := meta.(type) {
	case api.PageMeta:
		if meta.HasMore && meta.NextCursor.Get() != nil {
			return *meta.NextCursor.Get()
		}
	case api.FeedMeta:
		if meta.HasMore && meta.NextCursor.Get() != nil {
			return *meta.NextCursor.Get()
		}
	}
	return ""
}

// PolledPage is a page of the feed. It is empty if only the cursor has moved, for example at the start with "now".
type PolledPage struct {
	Transactions []api.Transaction
	// Cursor: save it after you have stored the transactions, and continue from it: you then miss none. After a crash in between,
	// the last page comes again, with the same TransactionUuid.
	Cursor string
}

// PollOptions of PollTransactions.
type PollOptions struct {
	// Cursor that you saved last. Empty: from the first document; "now": only new documents.
	Cursor string
	// Interval between two requests at the end of the feed; the default is 30 seconds.
	Interval time.Duration
	// UntilCaughtUp stops at the end of the feed instead of waiting for new documents.
	UntilCaughtUp bool
	// Query sets further parameters of the request, e.g. Limit.
	Query func(api.ApiListTransactionsRequest) api.ApiListTransactionsRequest
}

// PollTransactions polls the feed of documents, oldest first (provisioning strategy POLLING), until the context ends. After an
// error it ends too: continue from the last cursor that you saved.
func (c *Client) PollTransactions(ctx context.Context, options PollOptions) iter.Seq2[PolledPage, error] {
	if options.Interval == 0 {
		options.Interval = 30 * time.Second
	}
	return func(yield func(PolledPage, error) bool) {
		for cursor := options.Cursor; ctx.Err() == nil; {
			list := c.TransactionsAPI.ListTransactions(ctx)
			if options.Query != nil {
				list = options.Query(list)
			}
			if cursor != "" {
				list = list.Cursor(cursor)
			}
			page, _, err := list.Execute()
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				yield(PolledPage{}, err)
				return
			}
			if next := page.Meta.PollCursor; next != cursor {
				cursor = next
				if !yield(PolledPage{page.Data, cursor}, nil) {
					return
				}
			}
			if page.Meta.HasMore {
				continue
			}
			if options.UntilCaughtUp || pause(ctx, options.Interval) != nil {
				return
			}
		}
	}
}
