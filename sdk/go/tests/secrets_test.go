package docfetch_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	docfetch "docfetch.example.com/go"
)

const secret = "df_live_secret"

func TestRefusesAnAddressThatIsNoneWithoutShowingIt(t *testing.T) {
	for _, url := range []string{
		"", "docfetch.example.com", "ftp://docfetch.example.com", "https://", secret, "https://u:" + secret + "@docfetch.example.com",
		"https://docfetch.example.com/?a=b", "https://docfetch.example.com/#a", "https://docfetch.example.com/?" + secret, secret + "\x00",
	} {
		_, err := docfetch.New(docfetch.Options{BaseURL: url})
		check(t, err != nil && !strings.Contains(err.Error(), secret), url, err)
	}
}

func TestRefusesCredentialsThatAreNoneWithoutShowingThem(t *testing.T) {
	for _, value := range []string{secret + "\n", secret + " x", secret + "€", secret + "\x00"} {
		_, err := docfetch.New(docfetch.Options{BaseURL: "https://docfetch.example.com", APIKey: value})
		check(t, err != nil && !strings.Contains(err.Error(), secret), err)
		url, _ := scripted(t)
		client := clientOf(t, docfetch.Options{BaseURL: url, Token: docfetch.Token(value)})
		_, _, err = client.ConnectionsAPI.ListConnections(ctx).Execute()
		check(t, err != nil && !strings.Contains(err.Error(), secret), err)
		var lost *docfetch.ConnectionError
		check(t, !errors.As(err, &lost), err)
	}
}

func TestAnErrorOfTheTokenIsReturned(t *testing.T) {
	broken := errors.New("no session")
	url, _ := scripted(t)
	token := func(context.Context) (string, error) { return "", broken }
	_, _, err := clientOf(t, docfetch.Options{BaseURL: url, Token: token}).ConnectionsAPI.ListConnections(ctx).Execute()
	check(t, errors.Is(err, broken), err)
}
