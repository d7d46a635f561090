package com.example.docfetch;

import java.security.MessageDigest;
import java.util.UUID;

/** The program of {@link LargeDocumentTest}: downloads the document and prints its size and digests. */
final class LargeDownload {
  public static void main(String[] args) throws Exception {
    var client =
        Docfetch.builder(Environment.variable("DOCFETCH_URL"))
            .apiKey(Environment.variable("DOCFETCH_LARGE_API_KEY"))
            .build();
    var digest = MessageDigest.getInstance("SHA-256");
    long size = 0;
    try (var download = client.downloadDocument(UUID.fromString(Environment.variable("DOCFETCH_LARGE_UUID")))) {
      byte[] buffer = new byte[64 * 1024];
      for (int count = download.read(buffer); count >= 0; count = download.read(buffer)) {
        digest.update(buffer, 0, count);
        size += count;
      }
      var found = String.format("%064x", new java.math.BigInteger(1, digest.digest()));
      System.out.print(size + " " + found + " " + download.getSha256().orElseThrow());
    }
  }
}
