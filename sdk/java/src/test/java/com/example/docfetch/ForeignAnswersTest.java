package com.example.docfetch;

import static com.example.docfetch.ScriptedServer.json;
import static org.junit.jupiter.api.Assertions.*;

import com.example.docfetch.ScriptedServer.Answer;
import com.example.docfetch.errors.*;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses of other programs, such as a proxy, also with a status of success. */
class ForeignAnswersTest {
  private static final UUID ID = UUID.fromString("0198f6a0-7d5c-7000-8000-000000000002");
  private static final Answer LOGIN = new Answer(200, Map.of("Content-Type", "text/html"), "<html>login</html>");

  private static Docfetch client(ScriptedServer server) {
    return Docfetch.builder(server.url()).apiKey("k").build();
  }

  private static DocfetchException assertUnexpected(int status, Executable act) {
    var failure = assertThrows(DocfetchException.class, act);
    assertEquals(DocfetchException.UNEXPECTED_ANSWER, failure.getCode());
    assertEquals(status, failure.getStatus());
    return failure;
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>", "[]", "{\"code\": 1}", "null", ""})
  void anErrorOfAnotherProgramIsAnErrorToo(String body) throws Exception {
    try (var server = new ScriptedServer(json(401, body))) {
      var failure = assertUnexpected(401, () -> client(server).environment().getEnvironment());
      assertInstanceOf(UnauthorizedException.class, failure);
      assertTrue(failure.getErrors().isEmpty() && failure.getRequestId().isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "null", "[]", "{\"other\":true}", "{\"data\":[",
        "{\"data\":5,\"meta\":{\"next_cursor\":null,\"has_more\":false}}",
        "{\"data\":[1],\"meta\":{\"next_cursor\":null,\"has_more\":false}}",
        "{\"data\":[{}],\"meta\":{\"next_cursor\":null,\"has_more\":false}}",
        "{\"data\":[],\"meta\":{}}"
      })
  void aSuccessWithoutWhatTheOperationReturnsIsAnError(String body) throws Exception {
    try (var server = new ScriptedServer(json(200, body))) {
      assertUnexpected(200, () -> client(server).fetches().listFetches(ID));
      assertEquals(1, server.requests.size());
    }
  }

  @Test
  void aPageInsteadOfAnAnswerIsAnError() throws Exception {
    var withoutType = new Answer(200, Map.of(), LOGIN.body());
    try (var server = new ScriptedServer(LOGIN, withoutType, LOGIN, LOGIN)) {
      var client = client(server);
      assertUnexpected(200, () -> client.fetches().listFetches(ID));
      assertUnexpected(200, () -> client.fetches().listFetches(ID));
      assertUnexpected(200, () -> client.connections().deleteConnection(ID));
      assertUnexpected(200, () -> client.downloadDocument(ID));
    }
  }

  @Test
  void anAnswerWithoutContentIsAnErrorIfTheOperationHasNone() throws Exception {
    var empty = new Answer(204, Map.of(), "");
    try (var server = new ScriptedServer(empty, empty)) {
      var client = client(server);
      assertUnexpected(204, () -> client.fetches().listFetches(ID));
      client.connections().deleteConnection(ID);
    }
  }
}
