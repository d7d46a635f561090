package docfetch_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	docfetch "docfetch.example.com/go"
	"docfetch.example.com/go/api"
)

func TestErrorsHaveCodesAndMessagesInBothLanguages(t *testing.T) {
	texts := map[string][]string{"en": {"required", "is required"}, "de": {"fehlen", "ist erforderlich"}}
	for lang, wanted := range texts {
		client := backend(t, lang)
		identity := api.CreateIdentityRequest{ClientIdentifier: "errors"}
		created, _, err := client.IdentitiesAPI.CreateIdentity(ctx).CreateIdentityRequest(identity).Execute()
		check(t, err == nil, err)
		body := api.CreateConnectionRequest{IntegrationId: "sandbox", Name: "x", Fields: map[string]any{}}
		body.SetIdentityUuid(created.Data.IdentityUuid)
		_, _, err = client.ConnectionsAPI.CreateConnection(ctx).CreateConnectionRequest(body).Execute()
		var failure *docfetch.Error
		check(t, errors.As(err, &failure) && failure.Status == 422, err)
		check(t, failure.Code == api.CodeMissingRequiredFields && len(failure.Errors) == 2, failure)
		check(t, failure.Errors[0].Field == "fields.user" && failure.Errors[0].Code == "REQUIRED", failure.Errors)
		check(t, strings.Contains(failure.Detail, wanted[0]), failure.Detail)
		check(t, strings.Contains(failure.Errors[0].Message, wanted[1]), failure.Errors)
		check(t, strings.HasPrefix(failure.RequestID, "req_"), failure.RequestID)
		_, err = client.IdentitiesAPI.DeleteIdentity(ctx, created.Data.IdentityUuid).Execute()
		check(t, err == nil, err)
	}
}

func TestCredentialsThatAreNotValidAreAnError(t *testing.T) {
	for key, code := range map[string]string{"df_test_wrong": api.CodeInvalidApiKey, "": api.CodeMissingCredentials} {
		client := clientOf(t, docfetch.Options{BaseURL: env(t, "DOCFETCH_URL"), APIKey: key, Lang: "de"})
		_, _, err := client.IdentitiesAPI.ListIdentities(ctx).Execute()
		var failure *docfetch.Error
		check(t, errors.As(err, &failure) && failure.Status == 401 && failure.Code == code, err)
	}
}

func TestReceivesAndVerifiesAWebhook(t *testing.T) {
	client := backend(t, "")
	type message struct {
		body   []byte
		header http.Header
	}
	received := make(chan message, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		received <- message{body, r.Header}
	}))
	defer receiver.Close()
	events := []api.WebhookEventType{api.WEBHOOKEVENTTYPE_DOCUMENT_AVAILABLE}
	webhook, _, err := client.WebhooksAPI.CreateWebhook(ctx).
		CreateWebhookRequest(api.CreateWebhookRequest{Url: receiver.URL + "/events", Events: events}).Execute()
	check(t, err == nil, err)
	tested, _, err := client.WebhooksAPI.TestWebhook(ctx, webhook.Data.Uuid).Execute()
	check(t, err == nil && tested.Data.Error.Get() == nil, tested, err)
	secret, _ := webhook.Data.GetSecretOk()
	sent := <-received
	verified, err := docfetch.Verifier{Secrets: []string{*secret}}.VerifyWebhook(sent.body, sent.header)
	check(t, err == nil && verified.Type == "webhook.test", err)
	_, err = client.WebhooksAPI.DeleteWebhook(ctx, webhook.Data.Uuid).Execute()
	check(t, err == nil, err)
}
