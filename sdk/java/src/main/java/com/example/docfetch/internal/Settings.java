package com.example.docfetch.internal;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** What a client was built with. */
public final class Settings {
  public final String baseUrl;
  public final HttpClient http;
  /** By the name of the header. */
  public final Map<String, Supplier<String>> credentials;
  /** May be {@code null}. */
  public final String lang;
  public final int maxRetries;
  public final Duration maxRetryWait;
  public final Duration timeout;

  public Settings(
      String baseUrl,
      HttpClient http,
      Map<String, Supplier<String>> credentials,
      String lang,
      int maxRetries,
      Duration maxRetryWait,
      Duration timeout) {
    this.baseUrl = baseUrl;
    this.http = http;
    this.credentials = credentials;
    this.lang = lang;
    this.maxRetries = maxRetries;
    this.maxRetryWait = maxRetryWait;
    this.timeout = timeout;
  }
}
