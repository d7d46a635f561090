package docfetch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	docfetch "docfetch.example.com/go"
	"docfetch.example.com/go/api"
)

func TestSendsTheCredentialsThatTheEndpointAccepts(t *testing.T) {
	url, requests := scripted(t, empty, empty)
	options := docfetch.Options{BaseURL: url + "/", APIKey: "key", Token: docfetch.Token("token"), Lang: "de"}
	client := clientOf(t, options)
	_, _, err := client.FetchesAPI.ListFetches(ctx, uuid).Execute()
	check(t, err == nil, err)
	_, _, err = client.ConnectionsAPI.ListConnections(ctx).Lang("en").Execute() // with a token only
	check(t, err == nil, err)
	var seen []string
	for _, request := range requests() {
		header := request.Header
		seen = append(seen, header.Get("X-API-KEY")+" "+header.Get("X-TOKEN")+" "+strings.Join(header["Lang"], ","))
	}
	check(t, strings.Join(seen, "|") == "key token de| token en", seen)
}

func TestRepeatsAPostWithTheSameIdempotencyKey(t *testing.T) {
	url, requests := scripted(t, answer{}, failing(503, "X", "0"), queued)
	found, err := fetchNow(t, url)
	check(t, err == nil && found.Uuid == uuid, err)
	keys := map[string]bool{}
	for _, request := range requests() {
		keys[request.Header.Get("Idempotency-Key")] = true
	}
	check(t, len(requests()) == 3 && len(keys) == 1 && !keys[""], keys)
}

func TestRepeatsTheBody(t *testing.T) {
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		json.NewDecoder(r.Body).Decode(&body)
		bodies = append(bodies, fmt.Sprint(body))
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(503)
	}))
	defer server.Close()
	client := clientOf(t, docfetch.Options{BaseURL: server.URL, APIKey: "k"})
	body := api.CreateIdentityRequest{ClientIdentifier: "c"}
	_, _, err := client.IdentitiesAPI.CreateIdentity(ctx).CreateIdentityRequest(body).Execute()
	check(t, err != nil && len(bodies) == 3, err, bodies)
	check(t, bodies[2] == "map[client_identifier:c]", bodies)
}

func TestRepeatsARequestAfterATransientError(t *testing.T) {
	for _, status := range []int{429, 500, 502, 503, 504} {
		url, _ := scripted(t, failing(status, "X", "0"), queued)
		_, err := fetchNow(t, url)
		check(t, err == nil, status, err)
	}
}

func TestDoesNotRepeatARequestAfterAnotherError(t *testing.T) {
	for _, status := range []int{408, 501, 505, 520} {
		url, requests := scripted(t, failing(status, "X", "0"))
		_, err := fetchNow(t, url)
		check(t, err != nil && len(requests()) == 1, status, err)
	}
}

func TestTheLongestWaitDoesNotLimitPausesOfItsOwn(t *testing.T) {
	url, _ := scripted(t, failing(503, "X", ""), queued)
	client := clientOf(t, docfetch.Options{BaseURL: url, APIKey: "k", MaxRetryWait: time.Nanosecond})
	_, _, err := client.FetchesAPI.FetchNow(ctx, uuid).Execute()
	check(t, err == nil, err)
}

func TestKeepsAnIdempotencyKeyOfTheCaller(t *testing.T) {
	url, requests := scripted(t, queued)
	client := clientOf(t, docfetch.Options{BaseURL: url, APIKey: "k"})
	_, _, err := client.FetchesAPI.FetchNow(ctx, uuid).IdempotencyKey("mine").Execute()
	check(t, err == nil && requests()[0].Header.Get("Idempotency-Key") == "mine", err)
}

func TestWaitsForARequestWithTheSameKeyThatIsStillRunning(t *testing.T) {
	url, _ := scripted(t, failing(409, "IDEMPOTENCY_IN_PROGRESS", "0"), queued)
	_, err := fetchNow(t, url)
	check(t, err == nil, err)
}

func TestDoesNotRepeatAConflict(t *testing.T) {
	url, requests := scripted(t, failing(409, "SCHEDULED_FETCH_DUE", "50"))
	_, err := fetchNow(t, url)
	var failure *docfetch.Error
	check(t, errors.As(err, &failure) && failure.Code == api.CodeScheduledFetchDue, err)
	check(t, failure.RetryAfter == 50*time.Second && len(requests()) == 1, failure.RetryAfter)
}

func TestDoesNotRepeatAPostWithoutAKey(t *testing.T) {
	url, requests := scripted(t, failing(500, "INTERNAL_ERROR", ""))
	client := clientOf(t, docfetch.Options{BaseURL: url, APIKey: "k"})
	body := api.AcknowledgeTransactionRequest{Result: api.ACKNOWLEDGEMENTRESULT_ACCEPTED}
	_, err := client.TransactionsAPI.AcknowledgeTransaction(ctx, uuid).AcknowledgeTransactionRequest(body).Execute()
	check(t, err != nil && len(requests()) == 1 && requests()[0].Header.Get("Idempotency-Key") == "", err)
}

func TestReturnsTheErrorAfterTheLastRetry(t *testing.T) {
	url, requests := scripted(t, failing(503, "X", "0"), failing(503, "Y", "0"), failing(503, "Z", "0"))
	_, err := fetchNow(t, url)
	var failure *docfetch.Error
	check(t, errors.As(err, &failure) && failure.Code == "Z" && len(requests()) == 3, err)
}

func TestReturnsTheErrorAtOnceWhenTheWaitIsTooLong(t *testing.T) {
	for _, after := range []string{"31", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)} {
		url, requests := scripted(t, failing(429, "FETCH_QUOTA_EXCEEDED", after))
		_, err := fetchNow(t, url)
		var failure *docfetch.Error
		check(t, errors.As(err, &failure) && failure.RetryAfter > 30*time.Second && len(requests()) == 1, err)
	}
}

func TestALostConnectionIsAnErrorOfItsOwn(t *testing.T) {
	url, _ := scripted(t, answer{})
	client := clientOf(t, docfetch.Options{BaseURL: url, APIKey: "k", MaxRetries: -1})
	_, _, err := client.FetchesAPI.FetchNow(ctx, uuid).Execute()
	var failure *docfetch.ConnectionError
	check(t, errors.As(err, &failure), err)
}

func TestTheTimeLimitIsAnErrorOfTheConnection(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err == nil, err)
	defer silent.Close()
	options := docfetch.Options{BaseURL: "http://" + silent.Addr().String(), MaxRetries: -1, Timeout: 200 * time.Millisecond}
	limited, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	_, _, err = clientOf(t, options).FetchesAPI.FetchNow(limited, uuid).Execute()
	var failure *docfetch.ConnectionError
	check(t, errors.As(err, &failure) && strings.Contains(err.Error(), "within 200ms"), err)
}

func TestAContextThatEndsEndsTheWaiting(t *testing.T) {
	url, _ := scripted(t, failing(429, "RATE_LIMITED", "20"))
	limited, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	client := clientOf(t, docfetch.Options{BaseURL: url, APIKey: "k"})
	_, _, err := client.FetchesAPI.FetchNow(limited, uuid).Execute()
	check(t, errors.Is(err, context.DeadlineExceeded), err)
}

func TestFollowsNoRedirect(t *testing.T) {
	url, _ := scripted(t, answer{status: 302, header: map[string]string{"Location": "http://127.0.0.1:9/"}})
	_, err := fetchNow(t, url)
	var failure *docfetch.Error
	check(t, errors.As(err, &failure) && failure.Status == 302 && failure.Code == docfetch.CodeUnexpectedAnswer, err)
}

func TestAResponseOfAnotherProgramIsAnErrorToo(t *testing.T) {
	for _, body := range []string{"<html>", "[]", `{"code": 1}`, ""} {
		url, _ := scripted(t, answer{status: 401, body: body})
		_, err := fetchNow(t, url)
		var failure *docfetch.Error
		check(t, errors.As(err, &failure) && failure.Code == docfetch.CodeUnexpectedAnswer, body, err)
	}
}

func TestAcceptsValuesAndPropertiesOfLaterVersions(t *testing.T) {
	event := `{"event_uuid":"` + uuid + `","type":"something.new","created_at":"2026-11-20T08:30:00.000Z",` +
		`"data":{"anything":1},"deliveries":[],"added_later":true}`
	url, _ := scripted(t, answer{status: 200, body: `{"data":[` + event + `],"meta":{"next_cursor":null,"has_more":false,"poll_cursor":"p"}}`})
	client := clientOf(t, docfetch.Options{BaseURL: url, APIKey: "k"})
	page, _, err := client.WebhooksAPI.ListEvents(ctx).Execute()
	check(t, err == nil, err)
	found := page.Data[0]
	check(t, found.Type == "something.new" && !found.Type.IsValid(), found.Type)
	check(t, found.AdditionalProperties["added_later"] == true, found.AdditionalProperties)
}
