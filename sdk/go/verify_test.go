package docfetch_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
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
	var failure *docfetch.VerificationError
	if s.Reason == nil {
		if errors.As(err, &failure) {
			t.Fatal("refused: ", err)
		}
		return true
	}
	if !errors.As(err, &failure) || string(failure.Reason) != *s.Reason {
		t.Fatalf("%v instead of %s", err, *s.Reason)
	}
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
			if sample.checkReason(t, err) && message == nil {
				t.Fatal("nothing")
			}
		})
	}
}

func TestVerifiesReturnURLsAsTheServiceSignsThem(t *testing.T) {
	for _, sample := range samplesOf(t, "return-urls.json") {
		t.Run(sample.Name, func(t *testing.T) {
			found, err := sample.verifier().VerifyReturnURL(sample.URL)
			if sample.checkReason(t, err) && !reflect.DeepEqual(found, sample.Parameters) {
				t.Fatalf("%v instead of %v", found, sample.Parameters)
			}
		})
	}
}

func TestUsesTheClockWhenNoTimeIsGiven(t *testing.T) {
	first := samplesOf(t, "return-urls.json")[0]
	_, err := docfetch.Verifier{Secrets: first.Secrets}.VerifyReturnURL(first.URL)
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
