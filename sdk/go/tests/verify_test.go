package docfetch_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"time"

	docfetch "docfetch.example.com/go"
)

type sample struct {
	Name             string
	URL              string
	Body             string
	Headers          map[string]string
	Secrets          []string
	Now              time.Time
	ToleranceSeconds *int `json:"tolerance_seconds"`
	Parameters       map[string]string
	Reason           *string
}

func samplesOf(t *testing.T, name string) []sample {
	raw, err := os.ReadFile(filepath.Join(env(t, "DOCFETCH_SAMPLES"), name))
	if err != nil {
		t.Fatal(err)
	}
	var samples []sample
	if err := json.Unmarshal(raw, &samples); err != nil || len(samples) == 0 {
		t.Fatal("no samples", err)
	}
	return samples
}

func (s sample) verifier() docfetch.Verifier {
	verifier := docfetch.Verifier{Secrets: s.Secrets, Now: func() time.Time { return s.Now }}
	if s.ToleranceSeconds != nil {
		verifier.Tolerance = time.Duration(*s.ToleranceSeconds) * time.Second
	}
	return verifier
}

// checkReason compares the result of a verification with the sample's, and tells whether it was believed.
func (s sample) checkReason(t *testing.T, err error) bool {
	t.Helper()
	if s.Reason == nil {
		check(t, err == nil, "refused: ", err)
		return true
	}
	var failure *docfetch.VerificationError
	check(t, errors.As(err, &failure) && string(failure.Reason) == *s.Reason, err, " instead of ", *s.Reason)
	return false
}

func TestVerifiesMessagesAsTheServiceSignsThem(t *testing.T) {
	for _, sample := range samplesOf(t, "messages.json") {
		t.Run(sample.Name, func(t *testing.T) {
			headers := http.Header{}
			for name, value := range sample.Headers {
				headers[name] = []string{value}
			}
			message, err := sample.verifier().VerifyWebhook([]byte(sample.Body), headers)
			check(t, (message != nil) == sample.checkReason(t, err), message)
			document, err := sample.verifier().VerifyPush([]byte(sample.Body), headers)
			check(t, err != nil && document == nil, "only a part of a document: ", document, err)
		})
	}
}

func TestVerifiesReturnURLsAsTheServiceSignsThem(t *testing.T) {
	for _, sample := range samplesOf(t, "return-urls.json") {
		t.Run(sample.Name, func(t *testing.T) {
			found, err := sample.verifier().VerifyReturnURL(sample.URL)
			sample.checkReason(t, err)
			check(t, reflect.DeepEqual(found, sample.Parameters), found, " instead of ", sample.Parameters)
		})
	}
}

// signed returns the headers of a body that is signed now.
func signed(body string) http.Header {
	id, timestamp := uuid, strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte("key"))
	mac.Write([]byte(id + "." + timestamp + "." + body))
	signature := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return http.Header{"Webhook-Id": {id}, "Webhook-Timestamp": {timestamp}, "Webhook-Signature": {signature}}
}

var now = docfetch.Verifier{Secrets: []string{"whsec_" + base64.StdEncoding.EncodeToString([]byte("key"))}}

func TestReturnsAPushedDocumentAndAWebhook(t *testing.T) {
	push := `{"client_identifier":"Müller","identity_uuid":"i","connection_uuid":"c","transaction_uuid":"t",` +
		`"document_type":"invoice","external_id":null,"document":{"base64":"eA==","filename":"f.pdf","mime_type":"application/pdf"},` +
		`"metadata":{},"later":1}`
	document, err := now.VerifyPush([]byte(push), signed(push))
	check(t, err == nil, err)
	check(t, document.TransactionUuid == "t" && document.Document.Filename == "f.pdf", document)
	event := `{"type":"document.available","timestamp":"2026-11-20T08:30:00.000Z","data":{"later":1}}`
	message, err := now.VerifyWebhook([]byte(event), signed(event))
	check(t, err == nil, err)
	check(t, message.Type == "document.available" && string(message.Data) == `{"later":1}` && message.Timestamp.Day() == 20, message)
}

func TestUsesTheClockWhenNoTimeIsGiven(t *testing.T) {
	first := samplesOf(t, "return-urls.json")[0]
	found, err := docfetch.Verifier{Secrets: first.Secrets}.VerifyReturnURL(first.URL)
	check(t, found == nil, found)
	var failure *docfetch.VerificationError
	if !errors.As(err, &failure) || (failure.Reason != docfetch.Expired && failure.Reason != docfetch.FromTheFuture) {
		t.Fatal(err)
	}
}

func TestRefusesASecretThatAnybodyHasOrThatIsNone(t *testing.T) {
	good := samplesOf(t, "messages.json")[0].Secrets[0]
	for _, secrets := range [][]string{nil, {""}, {"whsec_"}, {good, ""}, {"whsec_not base64!"}, {good, "whsec_*"}} {
		verifier := docfetch.Verifier{Secrets: secrets}
		if _, err := verifier.VerifyPush([]byte("{}"), nil); !errors.Is(err, docfetch.ErrSecret) {
			t.Errorf("%q: %v", secrets, err)
		}
		if _, err := verifier.VerifyReturnURL("https://app.example.com/?sig="); !errors.Is(err, docfetch.ErrSecret) {
			t.Errorf("%q: %v", secrets, err)
		}
	}
}
