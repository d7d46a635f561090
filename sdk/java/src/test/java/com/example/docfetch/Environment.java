package com.example.docfetch;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** What `npm run sdk:test` passes to the tests. */
final class Environment {
  private Environment() {}

  static String variable(String name) {
    String value = System.getenv(name);
    if (value == null) {
      throw new IllegalStateException(name + " is missing: run npm run sdk:test");
    }
    return value;
  }

  static Docfetch backend(String lang) {
    return Docfetch.builder(variable("DOCFETCH_URL")).apiKey(variable("DOCFETCH_API_KEY")).lang(lang).build();
  }

  static void eventually(String what, BooleanSupplier holds) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("It did not happen: " + what);
      }
      Thread.sleep(100);
    }
  }
}
