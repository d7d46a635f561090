package docfetch

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"
)

// CodeUnexpectedAnswer is the code of a response that is not from Docfetch, e.g. from a proxy.
const CodeUnexpectedAnswer = "UNEXPECTED_ANSWER"

// An error response of a foreign program can have any size.
const maxErrorBytes = 1 << 20

// FieldError is an error of one field.
type FieldError struct {
	// Field is the path in the body, or the name of a parameter.
	Field string `json:"field"`
	Code  string `json:"code"`
	// Message for end users, in the language of the request.
	Message string `json:"message"`
}

// Error is an error response of the service. Base decisions on Code; Detail may be shown to end users.
type Error struct {
	// Status of HTTP.
	Status int `json:"-"`
	// Code is one of the constants Code… of the package api, or CodeUnexpectedAnswer.
	Code string `json:"code"`
	// Title is the kind of error, in the language of the request.
	Title string `json:"title"`
	// Detail is a message for end users, in the language of the request.
	Detail string `json:"detail"`
	// Type is the URL of the explanation of Code.
	Type string `json:"type"`
	// RequestID for the support team.
	RequestID string `json:"request_id"`
	// Errors of fields.
	Errors []FieldError `json:"errors"`
	// RetryAfter is the time until the request can succeed; negative if unknown.
	RetryAfter time.Duration `json:"-"`
	cause      error
}

// Unwrap returns why a success could not be read, or nil.
func (e *Error) Unwrap() error { return e.cause }

func (e *Error) Error() string {
	text := fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Detail)
	if e.RequestID != "" {
		text += " (" + e.RequestID + ")"
	}
	return text
}

// ConnectionError means that there was no complete response: the service may or may not have processed the request.
type ConnectionError struct {
	cause error
}

func (e *ConnectionError) Error() string { return "no response: " + e.cause.Error() }

// Unwrap returns the cause.
func (e *ConnectionError) Unwrap() error { return e.cause }

// errorOf reads the body of a response: an *Error, or a *ConnectionError if it breaks off.
func errorOf(response *http.Response) error {
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxErrorBytes))
	if err != nil {
		return err
	}
	var body Error
	if err := json.Unmarshal(raw, &body); err != nil || body.Code == "" || body.Detail == "" {
		return unexpectedAnswer(response, nil)
	}
	body.addFrom(response)
	return &body
}

func unexpectedAnswer(response *http.Response, cause error) *Error {
	failure := &Error{
		Code:   CodeUnexpectedAnswer,
		Title:  http.StatusText(response.StatusCode),
		Detail: fmt.Sprintf("The response with status %d is not from Docfetch.", response.StatusCode),
		cause:  cause,
	}
	failure.addFrom(response)
	return failure
}

func (e *Error) addFrom(response *http.Response) {
	e.Status = response.StatusCode
	e.RetryAfter = retryAfterOf(response)
	if e.RequestID == "" {
		e.RequestID = response.Header.Get("X-Request-Id")
	}
}

// retryAfterOf reads Retry-After in either of its forms (RFC 9110 10.2.3); negative if it is missing or invalid.
func retryAfterOf(response *http.Response) time.Duration {
	header := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(header, 10, 30); err == nil {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return -1
	}
	seconds := math.Ceil(time.Until(at).Seconds())
	return time.Duration(max(0, seconds)) * time.Second
}
