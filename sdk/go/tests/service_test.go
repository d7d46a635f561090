package docfetch_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	docfetch "docfetch.example.com/go"
	"docfetch.example.com/go/api"
)

const documents = 5

func env(t *testing.T, name string) string {
	t.Helper()
	value, ok := os.LookupEnv(name)
	check(t, ok, name+" is missing: run npm run sdk:test")
	return value
}

func backend(t *testing.T, lang string) *docfetch.Client {
	return clientOf(t, docfetch.Options{BaseURL: env(t, "DOCFETCH_URL"), APIKey: env(t, "DOCFETCH_API_KEY"), Lang: lang})
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatal("it did not happen: ", what)
}

// TestMainFlows is one story, whose steps build on each other.
func TestMainFlows(t *testing.T) {
	client := backend(t, "")
	body := api.CreateIdentityRequest{ClientIdentifier: "customer-1"}
	body.SetDisplayName("Müller & Söhne")
	body.SetType(api.IDENTITYTYPE_COMPANY)
	var identity, connection string
	var endUser *docfetch.Client
	var transactions []api.Transaction

	step := func(name string, act func(*testing.T)) {
		if !t.Run(name, act) {
			t.FailNow()
		}
	}
	step("creates an identity once, and lists all over several pages", func(t *testing.T) {
		for range 2 {
			created, _, err := client.IdentitiesAPI.CreateIdentity(ctx).CreateIdentityRequest(body).Execute()
			check(t, err == nil, err)
			check(t, identity == "" || identity == created.Data.IdentityUuid, created)
			check(t, *created.Data.DisplayName.Get() == "Müller & Söhne", created)
			identity = created.Data.IdentityUuid
		}
		for _, name := range []string{"customer-2", "customer-3", "customer-4", "customer-5"} {
			other := api.CreateIdentityRequest{ClientIdentifier: name}
			_, _, err := client.IdentitiesAPI.CreateIdentity(ctx).CreateIdentityRequest(other).Execute()
			check(t, err == nil, err)
		}
		var found []string
		for one, err := range docfetch.Paginate(client.IdentitiesAPI.ListIdentities(ctx).Limit(2)) {
			check(t, err == nil, err)
			found = append(found, one.ClientIdentifier)
		}
		check(t, strings.Join(found, " ") == "customer-1 customer-2 customer-3 customer-4 customer-5", found)
	})
	step("opens the hosted UI, whose token is that of an end user", func(t *testing.T) {
		request := api.CreateTokenRequest{IdentityUuid: identity, ReturnUrl: env(t, "DOCFETCH_RETURN_URL")}
		opened, _, err := client.UITokenAPI.CreateToken(ctx).CreateTokenRequest(request).Execute()
		check(t, err == nil && strings.Contains(opened.Data.UiUrl, "token="+opened.Data.Token), err)
		check(t, opened.Data.ExpiresAt.After(time.Now()), opened.Data.ExpiresAt)
		options := docfetch.Options{BaseURL: env(t, "DOCFETCH_URL"), Token: docfetch.Token(opened.Data.Token), Lang: "de"}
		endUser = clientOf(t, options)
	})
	step("texts are in the language of the client", func(t *testing.T) {
		for client, wanted := range map[*docfetch.Client]string{client: "Password", endUser: "Passwort"} {
			found, _, err := client.IntegrationsAPI.GetIntegration(ctx, "sandbox").Execute()
			check(t, err == nil, err)
			isWanted := func(field api.FormField) bool { return field.Id == "password" && field.Label == wanted }
			check(t, slices.ContainsFunc(found.Data.Step1Fields, isWanted), wanted)
		}
	})
	step("an end user connects a portal in two steps", func(t *testing.T) {
		fields := map[string]any{"user": "sdk", "password": "p", "documents": documents, "new_per_fetch": 0}
		request := api.CreateConnectionRequest{IntegrationId: "sandbox", Name: "Portal", Fields: fields}
		created, _, err := endUser.ConnectionsAPI.CreateConnection(ctx).CreateConnectionRequest(request).Execute()
		check(t, err == nil, err)
		connection = created.Data.Uuid
		check(t, created.Data.Status == api.CONNECTIONSTATUS_PENDING && created.Data.Fields["password"] == nil, created)
		more, _, err := endUser.ConnectionsAPI.LoadMoreOptions(ctx, connection, "folders").
			MoreOptionsRequest(api.MoreOptionsRequest{ParentId: *api.NewNullableString(api.PtrString("shared"))}).Execute()
		check(t, err == nil && more.Data.Options[0].Label == "Büro & Buchhaltung", err)
		chosen := map[string]any{"folders": []string{"inbox", more.Data.Options[0].Value}}
		saved, _, err := endUser.ConnectionsAPI.SaveStep2(ctx, connection).
			SaveStep2Request(api.SaveStep2Request{Fields: chosen}).Execute()
		check(t, err == nil && saved == nil, saved, err)
		eventually(t, "the first fetch succeeds", func() bool {
			found, _, err := client.ConnectionsAPI.GetConnection(ctx, connection).Execute()
			check(t, err == nil, err)
			last := found.Data.LastFetch.Get()
			return last != nil && last.Status == api.FETCHSTATUS_SUCCEEDED && last.DocumentsNew == documents
		})
	})
	step("follows the feed and receives each document once", func(t *testing.T) {
		limited := func(list api.ApiListTransactionsRequest) api.ApiListTransactionsRequest { return list.Limit(2) }
		cursor := ""
		for page, err := range client.PollTransactions(ctx, docfetch.PollOptions{UntilCaughtUp: true, Query: limited}) {
			check(t, err == nil, err)
			transactions = append(transactions, page.Transactions...)
			cursor = page.Cursor
		}
		check(t, len(transactions) == documents, len(transactions))
		for page := range client.PollTransactions(ctx, docfetch.PollOptions{UntilCaughtUp: true, Cursor: cursor}) {
			t.Fatal("again: ", page)
		}
		count := 0
		list := client.TransactionsAPI.ListTransactions(ctx).Limit(2).ConnectionUuid(connection).
			CreatedFrom(time.Now().In(time.FixedZone("", 7200)).Add(-time.Hour))
		for one, err := range docfetch.Paginate(list) {
			check(t, err == nil && one.TransactionUuid == transactions[count].TransactionUuid, err)
			count++
		}
		check(t, count == documents, count)
	})
	step("pulls a document as JSON, as bytes and in part", func(t *testing.T) {
		first := transactions[0]
		pulled, _, err := client.TransactionsAPI.PullDocument(ctx, first.TransactionUuid).Execute()
		check(t, err == nil, err)
		content, err := base64.StdEncoding.DecodeString(pulled.Data.Document.Base64)
		check(t, err == nil, err)
		download, err := client.DownloadDocument(ctx, first.TransactionUuid, docfetch.DownloadOptions{})
		check(t, err == nil, err)
		defer download.Close()
		raw, err := io.ReadAll(download)
		check(t, err == nil && string(raw) == string(content), err)
		check(t, download.Filename == pulled.Data.Document.Filename, download.Filename)
		check(t, download.Size == int64(len(content)), download.Size)
		digest := sha256.Sum256(raw)
		check(t, download.SHA256 == hex.EncodeToString(digest[:]) && download.SHA256 == first.Document.Sha256, download.SHA256)
		part, err := client.DownloadDocument(ctx, first.TransactionUuid, docfetch.DownloadOptions{Range: "bytes=10-"})
		check(t, err == nil, err)
		defer part.Close()
		rest, err := io.ReadAll(part)
		check(t, err == nil && part.Partial && string(rest) == string(content[10:]), err)
	})
	step("acknowledges a document", func(t *testing.T) {
		uuid := transactions[0].TransactionUuid
		accepted := api.AcknowledgeTransactionRequest{Result: api.ACKNOWLEDGEMENTRESULT_ACCEPTED}
		_, err := client.TransactionsAPI.AcknowledgeTransaction(ctx, uuid).AcknowledgeTransactionRequest(accepted).Execute()
		check(t, err == nil, err)
		found, _, err := client.TransactionsAPI.GetTransaction(ctx, uuid).Execute()
		check(t, err == nil && found.Data.Provisioning.Status == api.PROVISIONINGSTATUS_ACKNOWLEDGED, err)
	})
	step("fetches on request until the quota is used", func(t *testing.T) {
		queued, _, err := client.FetchesAPI.FetchNow(ctx, connection).Execute()
		check(t, err == nil, err)
		eventually(t, "the fetch succeeds", func() bool {
			found, _, err := client.FetchesAPI.GetFetch(ctx, queued.Uuid).Execute()
			return err == nil && found.Data.Status == api.FETCHSTATUS_SUCCEEDED
		})
		for range 20 {
			if _, _, err = client.FetchesAPI.FetchNow(ctx, connection).Execute(); err != nil {
				break
			}
		}
		var failure *docfetch.Error
		check(t, errors.As(err, &failure) && failure.Code == api.CodeFetchQuotaExceeded, err)
		check(t, failure.RetryAfter > 30*time.Second, failure.RetryAfter)
	})
	step("deletes a connection", func(t *testing.T) {
		_, err := client.ConnectionsAPI.DeleteConnection(ctx, connection).Execute()
		check(t, err == nil, err)
		_, _, err = client.ConnectionsAPI.GetConnection(ctx, connection).Execute()
		var failure *docfetch.Error
		check(t, errors.As(err, &failure) && failure.Status == 404 && failure.Code == api.CodeConnectionNotFound, err)
	})
}
