package com.example.docfetch;

import com.example.docfetch.internal.Settings;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** The options of a client. */
public final class DocfetchBuilder {
  private final String baseUrl;
  private final Map<String, Supplier<String>> credentials = new HashMap<>();
  private String lang;
  private int maxRetries = 2;
  private Duration maxRetryWait = Duration.ofSeconds(30);
  private Duration timeout = Duration.ofSeconds(60);
  private HttpClient http;

  DocfetchBuilder(String baseUrl) {
    this.baseUrl = checked(baseUrl);
  }

  /** The API key of your environment: for backends only. */
  public DocfetchBuilder apiKey(String key) {
    Objects.requireNonNull(key, "key");
    credentials.put("X-API-KEY", () -> key);
    return this;
  }

  /** A UI token. */
  public DocfetchBuilder token(String token) {
    Objects.requireNonNull(token, "token");
    return token(() -> token);
  }

  /** A UI token, asked for before each request, so that it can be renewed. */
  public DocfetchBuilder token(Supplier<String> token) {
    credentials.put("X-TOKEN", Objects.requireNonNull(token, "token"));
    return this;
  }

  /** The language of messages and labels, {@code en} or {@code de}. */
  public DocfetchBuilder lang(String lang) {
    this.lang = lang;
    return this;
  }

  /** The maximum number of retries of a request; the default is 2, 0 disables them. */
  public DocfetchBuilder maxRetries(int count) {
    this.maxRetries = count;
    return this;
  }

  /** If {@code Retry-After} is longer, the error is thrown immediately. The default is 30 seconds. */
  public DocfetchBuilder maxRetryWait(Duration wait) {
    this.maxRetryWait = Objects.requireNonNull(wait, "wait");
    return this;
  }

  /** The maximum time of an attempt until the response begins, and of each wait for data. The default is 60 seconds. */
  public DocfetchBuilder timeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout has to be longer than 0.");
    }
    this.timeout = timeout;
    return this;
  }

  /** Your own HTTP client, for example with a proxy. It must not follow redirects, which would send the key to another server. */
  public DocfetchBuilder httpClient(HttpClient client) {
    if (client.followRedirects() != HttpClient.Redirect.NEVER) {
      throw new IllegalArgumentException("The HTTP client must not follow redirects.");
    }
    this.http = client;
    return this;
  }

  public Docfetch build() {
    HttpClient client =
        http != null
            ? http
            : HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout).build();
    Map<String, Supplier<String>> copy = Map.copyOf(credentials);
    return new Docfetch(new Settings(baseUrl, client, copy, lang, maxRetries, maxRetryWait, timeout));
  }

  private static String checked(String baseUrl) {
    try {
      URI uri = new URI(baseUrl);
      boolean isHttp = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
      boolean hasMore = uri.getRawUserInfo() != null || uri.getRawQuery() != null || uri.getRawFragment() != null;
      if (isHttp && uri.getHost() != null && !hasMore) {
        return baseUrl.replaceAll("/+$", "");
      }
    } catch (URISyntaxException error) {
      // Not repeated: the text may contain a password.
    }
    throw new IllegalArgumentException("The base URL is not an http(s) URL, or it has credentials, a query or a fragment.");
  }
}
