package com.example.docfetch;

import static org.junit.jupiter.api.Assertions.*;

import com.example.docfetch.api.*;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretsTest {
  private static final String SECRET = "df_live_confidential";

  private static void assertIsSilent(Throwable failure) {
    var trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    assertFalse(trace.toString().contains("confidential"), trace.toString());
  }

  @Test
  void noExceptionContainsACredential() {
    for (String key : new String[] {SECRET + "\n", SECRET + "ü", " " + SECRET}) {
      var client = Docfetch.builder("http://127.0.0.1:9").apiKey(key).maxRetries(0).build();
      assertIsSilent(assertThrows(IllegalArgumentException.class, () -> client.identities().listIdentities()));
    }
    var client = Docfetch.builder("http://127.0.0.1:9").apiKey(SECRET).token(SECRET).maxRetries(0).build();
    var body = new CreateConnectionRequest().fields(Map.of("password", SECRET));
    assertIsSilent(assertThrows(RuntimeException.class, () -> client.connections().createConnection(body)));
    assertIsSilent(assertThrows(RuntimeException.class, () -> new Verifier("whsec_confidential!")));
  }

  @Test
  void noExceptionContainsAPartOfAnAnswerThatCannotBeRead() throws Exception {
    String body = "{\"data\":{\"token\":\"" + SECRET + "\",\"expires_at\":\"" + SECRET + "\"}}";
    try (var server = new ScriptedServer(ScriptedServer.json(201, body))) {
      var api = Docfetch.builder(server.url()).apiKey("k").build().uiToken();
      assertIsSilent(assertThrows(RuntimeException.class, () -> api.createToken(new CreateTokenRequest())));
    }
  }

  @Test
  void theTextOfABodyIsForLogs() {
    var body = new CreateConnectionRequest().name("Portal").fields(Map.of("password", SECRET));
    assertEquals("CreateConnectionRequest{\"name\":\"Portal\",\"fields\":\"…\"}", body.toString());
    var token = new UiTokenResponse().data(new UiToken().token(SECRET).uiUrl("https://x/?token=" + SECRET));
    assertEquals("UiTokenResponse{\"data\":{\"token\":\"…\",\"ui_url\":\"…\"}}", token.toString());
  }
}
