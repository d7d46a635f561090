package com.example.docfetch;

import static com.example.docfetch.Environment.*;
import static org.junit.jupiter.api.Assertions.*;

import com.example.docfetch.api.*;
import com.example.docfetch.api.ConnectionsApi.CreateConnectionOptions;
import com.example.docfetch.api.IdentitiesApi.ListIdentitiesOptions;
import com.example.docfetch.api.TransactionsApi.ListTransactionsOptions;
import com.example.docfetch.errors.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The main flows: one story, whose steps build on each other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ServiceTest {
  private static final int DOCUMENTS = 5;

  private final Docfetch client = backend(null);
  private UUID identity;
  private UUID connection;
  private Docfetch endUser;
  private final List<Transaction> transactions = new ArrayList<>();

  @Test
  @Order(1)
  void createsAnIdentityOnceAndListsAllOverSeveralPages() {
    var body = new CreateIdentityRequest().clientIdentifier("customer-1").displayName("Müller & Söhne").type(IdentityType.COMPANY);
    identity = client.identities().createIdentity(body).getData().getIdentityUuid();
    assertEquals(identity, client.identities().createIdentity(body).getData().getIdentityUuid());
    for (int number = 2; number <= 5; number++) {
      client.identities().createIdentity(new CreateIdentityRequest().clientIdentifier("customer-" + number));
    }
    var all = client.identities().listIdentitiesPaginator(new ListIdentitiesOptions().limit(2));
    var names = all.stream().map(Identity::getClientIdentifier).collect(Collectors.toList());
    assertEquals(List.of("customer-1", "customer-2", "customer-3", "customer-4", "customer-5"), names);
    assertEquals("Müller & Söhne", all.iterator().next().getDisplayName());
    assertNull(client.identities().updateIdentity(identity, new UpdateIdentityRequest().displayName(null)).getData().getDisplayName());
  }

  @Test
  @Order(2)
  void opensTheHostedUiWhoseTokenIsThatOfAnEndUser() {
    var request = new CreateTokenRequest().identityUuid(identity).returnUrl(variable("DOCFETCH_RETURN_URL"));
    var opened = client.uiToken().createToken(request).getData();
    assertTrue(opened.getUiUrl().contains("token=" + opened.getToken()));
    assertTrue(opened.getExpiresAt().isAfter(OffsetDateTime.now()));
    endUser = Docfetch.builder(variable("DOCFETCH_URL")).token(opened.getToken()).lang("de").build();
  }

  @Test
  @Order(3)
  void textsAreInTheLanguageOfTheClient() {
    for (var one : Map.of(client, "Password", endUser, "Passwort").entrySet()) {
      var fields = one.getKey().integrations().getIntegration("sandbox").getData().getStep1Fields();
      var label = fields.stream().filter(field -> field.getId().equals("password")).findFirst().orElseThrow().getLabel();
      assertEquals(one.getValue(), label);
    }
  }

  @Test
  @Order(4)
  void anEndUserConnectsAPortalInTwoSteps() throws Exception {
    Map<String, Object> fields = Map.of("user", "sdk", "password", "p", "documents", DOCUMENTS, "new_per_fetch", 0);
    var body = new CreateConnectionRequest().integrationId("sandbox").name("Portal").fields(fields);
    var created = endUser.connections().createConnection(body).getData();
    connection = created.getUuid();
    assertSame(ConnectionStatus.PENDING, created.getStatus());
    assertFalse(created.getFields().containsKey("password"));
    var more = endUser.connections().loadMoreOptions(connection, "folders", new MoreOptionsRequest().parentId("shared")).getData();
    assertEquals("Büro & Buchhaltung", more.getOptions().get(0).getLabel());
    Map<String, Object> chosen = Map.of("folders", List.of("inbox", more.getOptions().get(0).getValue()));
    assertNull(endUser.connections().saveStep2(connection, new SaveStep2Request().fields(chosen)));
    eventually(
        "the first fetch succeeds",
        () -> {
          var last = client.connections().getConnection(connection).getData().getLastFetch();
          return last != null && last.getStatus() == FetchStatus.SUCCEEDED;
        });
  }

  @Test
  @Order(5)
  void followsTheFeedAndReceivesEachDocumentOnce() {
    String cursor = null;
    for (Feed.Page page : client.feed().limit(2).untilCaughtUp()) {
      transactions.addAll(page.getTransactions());
      cursor = page.getCursor();
    }
    assertEquals(DOCUMENTS, new HashSet<>(transactions).size());
    assertEquals(DOCUMENTS, transactions.size());
    assertFalse(client.feed().from(cursor).untilCaughtUp().iterator().hasNext());
    var since = OffsetDateTime.now(ZoneOffset.ofHours(2)).minusHours(1);
    var options = new ListTransactionsOptions().limit(2).connectionUuid(connection).createdFrom(since);
    assertEquals(transactions, client.transactions().listTransactionsPaginator(options).stream().collect(Collectors.toList()));
    assertEquals(transactions.get(0), client.transactions().getTransaction(transactions.get(0).getTransactionUuid()).getData());
  }

  @Test
  @Order(6)
  void pullsADocumentAsJsonAsBytesAndInPart(@TempDir Path folder) throws Exception {
    var first = transactions.get(0);
    var document = client.transactions().pullDocument(first.getTransactionUuid()).getData().getDocument();
    byte[] content = Base64.getDecoder().decode(document.getBase64());
    try (var download = client.downloadDocument(first.getTransactionUuid())) {
      assertEquals(document.getFilename(), download.getFilename().orElseThrow());
      assertEquals(content.length, download.getSize().orElseThrow());
      assertEquals(first.getDocument().getSha256(), download.getSha256().orElseThrow());
      assertEquals(content.length, download.saveTo(folder.resolve("document")));
    }
    assertArrayEquals(content, Files.readAllBytes(folder.resolve("document")));
    try (var part = client.downloadDocument(first.getTransactionUuid(), "bytes=10-")) {
      assertTrue(part.isPartial());
      assertEquals(new String(content, 10, content.length - 10, "ISO-8859-1"), new String(part.readAllBytes(), "ISO-8859-1"));
    }
    var unknown = assertThrows(NotFoundException.class, () -> client.downloadDocument(identity));
    assertEquals(ErrorCode.TRANSACTION_NOT_FOUND, unknown.getCode());
  }

  @Test
  @Order(7)
  void acknowledgesADocument() {
    var uuid = transactions.get(0).getTransactionUuid();
    client.transactions().acknowledgeTransaction(uuid, new AcknowledgeTransactionRequest().result(AcknowledgementResult.ACCEPTED));
    var found = client.transactions().getTransaction(uuid).getData();
    assertSame(ProvisioningStatus.ACKNOWLEDGED, found.getProvisioning().getStatus());
  }

  @Test
  @Order(8)
  void fetchesOnRequestUntilTheQuotaIsUsed() throws Exception {
    var queued = client.fetches().fetchNow(connection).getUuid();
    eventually(
        "the fetch succeeds",
        () -> client.fetches().getFetch(queued).getData().getStatus() == FetchStatus.SUCCEEDED);
    var failure =
        assertThrows(
            RateLimitException.class,
            () -> {
              for (int count = 0; count < 20; count++) {
                backend("de").fetches().fetchNow(connection);
              }
            });
    assertEquals(ErrorCode.FETCH_QUOTA_EXCEEDED, failure.getCode());
    assertTrue(failure.getRetryAfter().orElseThrow().toSeconds() > 30);
  }

  @Test
  @Order(9)
  void aRequestThatIsRepeatedWithItsKeyIsExecutedOnce() {
    var body =
        new CreateConnectionRequest()
            .integrationId("sandbox")
            .name("Once")
            .identityUuid(identity)
            .fields(Map.of("user", "u", "password", "p"));
    var options = new CreateConnectionOptions().idempotencyKey("once");
    var uuid = client.connections().createConnection(body, options).getData().getUuid();
    assertEquals(uuid, client.connections().createConnection(body, options).getData().getUuid());
    client.connections().disableConnection(uuid);
    assertSame(ConnectionStatus.DISABLED, client.connections().getConnection(uuid).getData().getStatus());
    client.connections().deleteConnection(uuid);
    var failure = assertThrows(NotFoundException.class, () -> client.connections().getConnection(uuid));
    assertEquals(ErrorCode.CONNECTION_NOT_FOUND, failure.getCode());
  }
}
