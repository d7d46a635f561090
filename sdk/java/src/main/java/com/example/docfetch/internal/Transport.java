package com.example.docfetch.internal;

import com.example.docfetch.Model;
import com.example.docfetch.errors.DocfetchConnectionException;
import com.example.docfetch.errors.DocfetchException;
import com.example.docfetch.internal.Json.InvalidJsonException;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Sends the requests of the generated code with credentials and language, and repeats those that are safe to repeat. */
public final class Transport {
  private static final Pattern CREDENTIAL = Pattern.compile("[!-~]+");
  private static final Pattern JSON = Pattern.compile("application/([\\w.-]+\\+)?json\\b", Pattern.CASE_INSENSITIVE);

  private final Settings settings;
  private final Retries retries;

  public Transport(Settings settings) {
    this.settings = settings;
    this.retries = new Retries(settings.maxRetries, settings.maxRetryWait);
  }

  /** For operations without a response body. */
  public void call(Call call) {
    send(call, Transport::jsonOf);
  }

  /** Returns {@code null} for a response without content, if the operation has such a response. */
  public <T> T call(Call call, Class<T> type) {
    if (type == String.class) {
      call.header("Accept", "text/plain, text/html, */*;q=0.1");
      return type.cast(send(call, Transport::textOf));
    }
    return send(call, response -> parsed(call, response, type));
  }

  /** The response with a file before its body is read, which has to be closed. */
  public HttpResponse<InputStream> open(Call call) {
    return send(call, Transport::file);
  }

  interface Reader<T> {
    T read(HttpResponse<InputStream> response) throws IOException;
  }

  private <T> T send(Call call, Reader<T> reader) {
    return retries.run(call, () -> attempt(call, reader));
  }

  private <T> T attempt(Call call, Reader<T> reader) {
    HttpRequest request = requestOf(call);
    try {
      HttpResponse<InputStream> response = settings.http.send(request, head -> new BodyStream(settings.timeout));
      if (response.statusCode() / 100 != 2) {
        throw Failures.of(response);
      }
      return reader.read(response);
    } catch (IOException error) {
      throw new DocfetchConnectionException(call + " received no response: " + error, error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new DocfetchConnectionException(call + " was interrupted.", error);
    }
  }

  private HttpRequest requestOf(Call call) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(call.uri(settings.baseUrl)).timeout(settings.timeout).header("User-Agent", "docfetch-java");
    call.headers.forEach(request::setHeader);
    if (settings.lang != null && !call.headers.containsKey("Lang")) {
      request.header("Lang", settings.lang);
    }
    for (String header : call.credentials) {
      Supplier<String> credential = settings.credentials.get(header);
      if (credential != null) {
        request.header(header, checked(header, credential.get()));
      }
    }
    if (call.body == null) {
      return request.method(call.method, BodyPublishers.noBody()).build();
    }
    request.header("Content-Type", "application/json");
    return request.method(call.method, BodyPublishers.ofByteArray(Json.write(call.body))).build();
  }

  /** The message of {@code java.net.http} would contain the value. */
  private static String checked(String header, String value) {
    if (value == null || !CREDENTIAL.matcher(value).matches()) {
      throw new IllegalArgumentException("The value for " + header + " is empty or has characters that a header cannot have.");
    }
    return value;
  }

  private static HttpResponse<InputStream> file(HttpResponse<InputStream> response) throws IOException {
    if (response.headers().firstValue("Content-Disposition").isEmpty()) {
      response.body().close();
      throw new DocfetchException(Failures.unexpected(response));
    }
    return response;
  }

  private static String textOf(HttpResponse<InputStream> response) throws IOException {
    try (InputStream body = response.body()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** A success of another type may be a page of a proxy, such as a login form. */
  private static String jsonOf(HttpResponse<InputStream> response) throws IOException {
    if (response.statusCode() != 204 && !JSON.matcher(response.headers().firstValue("Content-Type").orElse("")).lookingAt()) {
      response.body().close();
      throw new DocfetchException(Failures.unexpected(response));
    }
    return textOf(response);
  }

  private static <T> T parsed(Call call, HttpResponse<InputStream> response, Class<T> type) throws IOException {
    String text = jsonOf(response);
    if (response.statusCode() == 204 && call.mayBeEmpty) {
      return null;
    }
    try {
      T found = Json.read(text, type);
      if (found instanceof Model && ((Model) found).isComplete()) {
        return found;
      }
    } catch (InvalidJsonException error) {
      // Like JSON of another program.
    }
    throw new DocfetchException(Failures.unexpected(response));
  }
}
