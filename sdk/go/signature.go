package docfetch

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// keys are the base64-decoded parts after whsec_ (Standard Webhooks).
func (v Verifier) keys() ([][]byte, error) {
	var keys [][]byte
	for _, secret := range v.Secrets {
		key := decoded(strings.TrimPrefix(secret, "whsec_"))
		if len(key) == 0 { // Anyone can sign with an empty key.
			return nil, ErrSecret
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, ErrSecret
	}
	return keys, nil
}

// matchesOne verifies all pairs, each in constant time, so that the duration does not reveal which one matches.
func matchesOne(keys, macs [][]byte, start, end []byte) bool {
	matches := false
	for _, key := range keys {
		hash := hmac.New(sha256.New, key)
		hash.Write(start)
		hash.Write(end)
		expected := hash.Sum(nil)
		for _, mac := range macs {
			matches = hmac.Equal(expected, mac) || matches
		}
	}
	return matches
}

func only(headers http.Header, name string) string {
	var found []string
	for key, values := range headers {
		if http.CanonicalHeaderKey(key) == name {
			found = append(found, values...)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// decoded returns nil for invalid base64, including non-canonical base64.
func decoded(text string) []byte {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(raw) != text {
		return nil
	}
	return raw
}
