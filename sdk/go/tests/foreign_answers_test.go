package docfetch_test

import (
	"errors"
	"testing"

	docfetch "docfetch.example.com/go"
)

const login = "<html>login</html>"

var html = map[string]string{"Content-Type": "text/html"}

func checkUnexpected(t *testing.T, err error) {
	t.Helper()
	var failure *docfetch.Error
	check(t, errors.As(err, &failure) && failure.Code == docfetch.CodeUnexpectedAnswer, err)
}

func TestASuccessOfAnotherProgramIsAnErrorWithoutAValue(t *testing.T) {
	for _, foreign := range []answer{
		{status: 200, body: login, header: html},
		{status: 200, body: login},
		{status: 200, body: ""},
		{status: 200, body: "null"},
		{status: 200, body: "[]"},
		{status: 200, body: `{"data":5,"meta":{"next_cursor":null,"has_more":false}}`},
		{status: 200, body: `{"data":[1],"meta":{"next_cursor":null,"has_more":false}}`},
		{status: 200, body: `{"other":true}`},
		{status: 200, body: `{"data":[`},
	} {
		url, _ := scripted(t, foreign)
		client := clientOf(t, docfetch.Options{BaseURL: url, Token: docfetch.Token("t")})
		page, _, err := client.ConnectionsAPI.ListConnections(ctx).Execute()
		checkUnexpected(t, err)
		check(t, page == nil, foreign, page)
	}
}

func TestAPageInsteadOfAnAnswerWithoutContentIsAnError(t *testing.T) {
	url, _ := scripted(t, answer{status: 200, body: login, header: html})
	_, err := clientOf(t, docfetch.Options{BaseURL: url, APIKey: "k"}).ConnectionsAPI.DeleteConnection(ctx, uuid).Execute()
	checkUnexpected(t, err)
}

func TestAPageInsteadOfADocumentIsAnError(t *testing.T) {
	url, _ := scripted(t, answer{status: 200, body: login, header: html})
	client := clientOf(t, docfetch.Options{BaseURL: url, APIKey: "k"})
	download, err := client.DownloadDocument(ctx, uuid, docfetch.DownloadOptions{})
	checkUnexpected(t, err)
	check(t, download == nil, download)
}

func TestAnErrorSaysWhyASuccessCouldNotBeRead(t *testing.T) {
	url, _ := scripted(t, answer{status: 202, body: `{"other":true}`, header: map[string]string{"X-Request-Id": "req_1"}})
	_, err := fetchNow(t, url)
	var failure *docfetch.Error
	check(t, errors.As(err, &failure) && failure.Status == 202 && failure.RequestID == "req_1", err)
	check(t, errors.Unwrap(failure) != nil && errors.Unwrap(failure).Error() != "", failure)
}
