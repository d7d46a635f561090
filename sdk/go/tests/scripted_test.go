package docfetch_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	docfetch "docfetch.example.com/go"
	"docfetch.example.com/go/api"
)

const uuid = "0198f6a0-7d5c-7000-8000-000000000002"

var ctx = context.Background()

// answer of a scripted server, of type application/json unless another one is given. Status 0 closes the connection.
type answer struct {
	status     int
	retryAfter string
	body       string
	header     map[string]string
}

type script struct {
	t       *testing.T
	mutex   sync.Mutex
	answers []answer
	seen    []*http.Request
}

// scripted answers each request with the next of the given responses. The test fails if the number of requests differs.
func scripted(t *testing.T, answers ...answer) (url string, requests func() []*http.Request) {
	t.Helper()
	script := &script{t: t, answers: answers}
	server := httptest.NewServer(script)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		if got := len(script.requests()); got != len(answers) {
			t.Errorf("%d requests instead of %d", got, len(answers))
		}
	})
	return server.URL, script.requests
}

func (s *script) requests() []*http.Request {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.seen)
}

func (s *script) next(request *http.Request) answer {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.seen = append(s.seen, request)
	if len(s.seen) > len(s.answers) {
		return answer{}
	}
	return s.answers[len(s.seen)-1]
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	next := s.next(r)
	if next.status == 0 {
		connection, _, _ := http.NewResponseController(w).Hijack()
		connection.Close()
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if next.retryAfter != "" {
		w.Header().Set("Retry-After", next.retryAfter)
	}
	for name, value := range next.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(next.status)
	io.WriteString(w, next.body)
}

func failing(status int, code, retryAfter string) answer {
	body, _ := json.Marshal(map[string]any{"code": code, "detail": "D", "title": "T", "request_id": "req_1"})
	return answer{status: status, retryAfter: retryAfter, body: string(body)}
}

var (
	queued = answer{status: 202, body: `{"uuid":"` + uuid + `"}`}
	empty  = answer{status: 200, body: `{"data":[],"meta":{"next_cursor":null,"has_more":false}}`}
)

func clientOf(t *testing.T, options docfetch.Options) *docfetch.Client {
	t.Helper()
	client, err := docfetch.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func fetchNow(t *testing.T, url string) (*api.FetchQueued, error) {
	found, _, err := clientOf(t, docfetch.Options{BaseURL: url, APIKey: "k"}).FetchesAPI.FetchNow(ctx, uuid).Execute()
	return found, err
}

func check(t *testing.T, holds bool, what ...any) {
	t.Helper()
	if !holds {
		t.Fatal(what...)
	}
}
