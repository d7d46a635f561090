package docfetch

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"docfetch.example.com/go/api"
)

// Reason why a verification failed. It is for your log, not for the sender.
type Reason string

// The reasons.
const (
	Malformed        Reason = "MALFORMED"
	SignatureMissing Reason = "SIGNATURE_MISSING"
	SignatureInvalid Reason = "SIGNATURE_INVALID"
	Expired          Reason = "EXPIRED"
	FromTheFuture    Reason = "FROM_THE_FUTURE"
)

// VerificationError means that the data must not be used.
type VerificationError struct {
	Reason Reason
}

func (e *VerificationError) Error() string {
	return "docfetch: the verification failed: " + string(e.Reason)
}

// ErrSecret means that no signing secret was given, or that one is empty or not base64.
var ErrSecret = errors.New("docfetch: a signing secret is missing, empty or not base64")

// Verifier verifies what Docfetch signs.
type Verifier struct {
	// Secrets are the signing secret of the environment (whsec_…); several during a rotation, of which one must match.
	Secrets []string
	// Now is the clock; time.Now by default.
	Now func() time.Time
	// Tolerance is the maximum difference between the signed time and now; 5 minutes by default.
	Tolerance time.Duration
}

// WebhookMessage is the body of a webhook.
type WebhookMessage struct {
	// Type, e.g. "document.available". Answer 200 to unknown types and ignore them.
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	// Data depends on Type.
	Data json.RawMessage `json:"data"`
}

// VerifyPush verifies a pushed document and returns it; for a *VerificationError answer 401. Store it before you answer 200:
// Docfetch then considers it delivered. It may arrive twice, with the same TransactionUuid. The body is the raw one.
func (v Verifier) VerifyPush(body []byte, headers http.Header) (*api.ProvisionedDocument, error) {
	return verified[api.ProvisionedDocument](v, body, headers)
}

// VerifyWebhook is like VerifyPush, for a webhook. Its secret was returned when the webhook was registered.
func (v Verifier) VerifyWebhook(body []byte, headers http.Header) (*WebhookMessage, error) {
	return verified[WebhookMessage](v, body, headers)
}

// verified returns either a message or an error.
func verified[T any](v Verifier, body []byte, headers http.Header) (*T, error) {
	if err := v.verify(body, headers); err != nil {
		return nil, err
	}
	var message T
	// Null would be no error, but leave the message empty.
	isObject := bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{"))
	if !isObject || !utf8.Valid(body) || json.Unmarshal(body, &message) != nil {
		return nil, &VerificationError{Malformed}
	}
	return &message, nil
}

var (
	digits      = regexp.MustCompile(`^[0-9]{1,15}$`)
	messageMAC  = regexp.MustCompile(`^v1,[A-Za-z0-9+/]{43}=$`)
	returnedMAC = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)
)

func (v Verifier) verify(body []byte, headers http.Header) error {
	keys, err := v.keys()
	if err != nil {
		return err
	}
	id, timestamp, signatures := only(headers, "Webhook-Id"), only(headers, "Webhook-Timestamp"), only(headers, "Webhook-Signature")
	if id == "" || timestamp == "" || signatures == "" {
		return &VerificationError{SignatureMissing}
	}
	if !digits.MatchString(timestamp) {
		return &VerificationError{Malformed}
	}
	var macs [][]byte
	for _, signature := range strings.Split(signatures, " ") {
		if messageMAC.MatchString(signature) {
			macs = append(macs, decoded(strings.TrimPrefix(signature, "v1,")))
		}
	}
	if !matchesOne(keys, macs, []byte(id+"."+timestamp+"."), body) {
		return &VerificationError{SignatureInvalid}
	}
	return v.checkTime(timestamp)
}

var returnParameters = []string{
	"result", "action", "identity_uuid", "connection_uuid", "integration_id", "status", "state", "ts", "nonce",
}

// VerifyReturnURL verifies the full URL with which a user returned from the hosted UI, including scheme and host, and returns its
// parameters. It is valid for Tolerance; store nonce for that time to accept it only once.
func (v Verifier) VerifyReturnURL(address string) (map[string]string, error) {
	keys, err := v.keys()
	if err != nil {
		return nil, err
	}
	address, _, _ = strings.Cut(address, "#") // A browser may add a fragment; a server never receives it.
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme == "" || parsed.Host == "" {
		return nil, &VerificationError{Malformed}
	}
	query := parsed.Query()
	if !query.Has("sig") {
		return nil, &VerificationError{SignatureMissing}
	}
	signed, signature, _ := strings.Cut(address, "&sig=")
	if len(query["sig"]) > 1 || !returnedMAC.MatchString(signature) {
		return nil, &VerificationError{SignatureInvalid}
	}
	mac := decoded(strings.NewReplacer("-", "+", "_", "/").Replace(signature) + "=")
	if !matchesOne(keys, [][]byte{mac}, []byte("v1."), []byte(signed)) {
		return nil, &VerificationError{SignatureInvalid}
	}
	found := map[string]string{}
	for _, name := range returnParameters {
		if len(query[name]) > 1 {
			return nil, &VerificationError{Malformed}
		}
		if query.Has(name) {
			found[name] = query.Get(name)
		}
	}
	if !digits.MatchString(found["ts"]) {
		return nil, &VerificationError{Malformed}
	}
	if err := v.checkTime(found["ts"]); err != nil {
		return nil, err
	}
	return found, nil
}

func (v Verifier) checkTime(timestamp string) error {
	now, tolerance := time.Now, 5*time.Minute
	if v.Now != nil {
		now = v.Now
	}
	if v.Tolerance != 0 {
		tolerance = v.Tolerance
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	// An age that does not fit is the largest or smallest that does.
	age := now().Sub(time.Unix(seconds, 0))
	if age > tolerance {
		return &VerificationError{Expired}
	}
	if age < -tolerance {
		return &VerificationError{FromTheFuture}
	}
	return nil
}
