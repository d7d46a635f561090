package com.example.docfetch;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** Answers each request with the next of the given answers. */
final class ScriptedServer implements AutoCloseable {
  /** Closes the connection without a response. */
  static final Answer LOST = new Answer(0, Map.of(), "");

  /** A {@code Content-Length} that is longer than the body: the connection is closed in the middle of it. */
  record Answer(int status, Map<String, String> headers, String body) {}

  record Request(String method, String path, Headers headers, String body) {
    String header(String name) {
      List<String> values = headers.getOrDefault(name, List.of());
      return values.isEmpty() ? null : String.join(",", values);
    }
  }

  final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
  private final Queue<Answer> answers;
  private final HttpServer server;

  ScriptedServer(Answer... answers) throws IOException {
    this.answers = new ArrayDeque<>(List.of(answers));
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  static Answer json(int status, String body) {
    return new Answer(status, Map.of("Content-Type", "application/json"), body);
  }

  static Answer error(int status, String code, String retryAfter) {
    String body = "{\"status\":" + status + ",\"code\":\"" + code + "\",\"title\":\"T\",\"detail\":\"D\",\"errors\":[]}";
    return new Answer(status, retryAfter == null ? Map.of() : Map.of("Retry-After", retryAfter), body);
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      requests.add(
          new Request(exchange.getRequestMethod(), exchange.getRequestURI().toString(), exchange.getRequestHeaders(), body));
      Answer answer = answers.remove();
      if (answer == LOST) {
        return;
      }
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      byte[] sent = answer.body().getBytes(StandardCharsets.UTF_8);
      String announced = answer.headers().get("Content-Length");
      long length = announced == null ? sent.length : Long.parseLong(announced);
      exchange.sendResponseHeaders(answer.status(), length == 0 ? -1 : length);
      exchange.getResponseBody().write(sent);
      exchange.getResponseBody().flush();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
