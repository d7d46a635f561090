package com.example.docfetch;

import com.example.docfetch.api.ConnectionsApi;
import com.example.docfetch.api.EnvironmentApi;
import com.example.docfetch.api.FetchesApi;
import com.example.docfetch.api.HealthApi;
import com.example.docfetch.api.IdentitiesApi;
import com.example.docfetch.api.IntegrationsApi;
import com.example.docfetch.api.SandboxApi;
import com.example.docfetch.api.TransactionsApi;
import com.example.docfetch.api.UiTokenApi;
import com.example.docfetch.api.WebhooksApi;
import com.example.docfetch.internal.Call;
import com.example.docfetch.internal.Settings;
import com.example.docfetch.internal.Transport;
import java.util.UUID;

/**
 * The client of a Docfetch service. Keep it: threads can share it. Each operation sends those of the credentials that its
 * endpoint accepts, and throws a {@link com.example.docfetch.errors.DocfetchException} for an error of the service or a {@link
 * com.example.docfetch.errors.DocfetchConnectionException} when there was no response.
 */
public final class Docfetch {
  private final Transport transport;
  private final ConnectionsApi connections;
  private final EnvironmentApi environment;
  private final FetchesApi fetches;
  private final HealthApi health;
  private final IdentitiesApi identities;
  private final IntegrationsApi integrations;
  private final SandboxApi sandbox;
  private final TransactionsApi transactions;
  private final UiTokenApi uiToken;
  private final WebhooksApi webhooks;

  Docfetch(Settings settings) {
    transport = new Transport(settings);
    connections = new ConnectionsApi(transport);
    environment = new EnvironmentApi(transport);
    fetches = new FetchesApi(transport);
    health = new HealthApi(transport);
    identities = new IdentitiesApi(transport);
    integrations = new IntegrationsApi(transport);
    sandbox = new SandboxApi(transport);
    transactions = new TransactionsApi(transport);
    uiToken = new UiTokenApi(transport);
    webhooks = new WebhooksApi(transport);
  }

  /** A client of the service at this base URL, e.g. {@code https://docfetch.example.com}. */
  public static DocfetchBuilder builder(String baseUrl) {
    return new DocfetchBuilder(baseUrl);
  }

  public ConnectionsApi connections() {
    return connections;
  }

  public EnvironmentApi environment() {
    return environment;
  }

  public FetchesApi fetches() {
    return fetches;
  }

  public HealthApi health() {
    return health;
  }

  public IdentitiesApi identities() {
    return identities;
  }

  public IntegrationsApi integrations() {
    return integrations;
  }

  public SandboxApi sandbox() {
    return sandbox;
  }

  public TransactionsApi transactions() {
    return transactions;
  }

  public UiTokenApi uiToken() {
    return uiToken;
  }

  public WebhooksApi webhooks() {
    return webhooks;
  }

  /** The feed of documents, oldest first (provisioning strategy {@code POLLING}). */
  public Feed feed() {
    return new Feed(transactions);
  }

  /** Downloads a document of any size. Close the result. */
  public Download downloadDocument(UUID transactionUuid) {
    return downloadDocument(transactionUuid, null);
  }

  /** Like {@link #downloadDocument(UUID)}, for a part: {@code bytes=100-}. */
  public Download downloadDocument(UUID transactionUuid, String range) {
    Call call = new Call("GET", "/v1/transactions/{transaction_uuid}/document").path("transaction_uuid", transactionUuid);
    return download(call.header("Accept", "application/octet-stream"), range);
  }

  /** Downloads a rendition of a document. Close the result. */
  public Download downloadRendition(UUID transactionUuid, UUID renditionId) {
    return downloadRendition(transactionUuid, renditionId, null);
  }

  /** Like {@link #downloadRendition(UUID, UUID)}, for a part: {@code bytes=100-}. */
  public Download downloadRendition(UUID transactionUuid, UUID renditionId, String range) {
    Call call =
        new Call("GET", "/v1/transactions/{transaction_uuid}/renditions/{rendition_id}")
            .path("transaction_uuid", transactionUuid)
            .path("rendition_id", renditionId);
    return download(call.header("Accept", "*/*"), range);
  }

  private Download download(Call call, String range) {
    call.header("Range", range).credential("X-TOKEN").credential("X-API-KEY");
    return new Download(transport.open(call));
  }
}
