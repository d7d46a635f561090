package com.example.docfetch.internal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 by any of several secrets (Standard Webhooks). */
public final class Signatures {
  private static final String PREFIX = "whsec_";

  private final List<byte[]> keys = new ArrayList<>();

  public Signatures(List<String> secrets) {
    for (String secret : secrets) {
      byte[] key = decoded(secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret);
      // Anyone can sign with an empty key.
      if (key == null || key.length == 0) {
        throw new IllegalArgumentException("A signing secret is empty or not base64.");
      }
      keys.add(key);
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("A signing secret is missing.");
    }
  }

  /** Verifies all pairs, each in constant time, so that the duration does not reveal which one matches. */
  public boolean matchesOne(List<byte[]> signatures, String start, byte[] end) {
    boolean matches = false;
    for (byte[] key : keys) {
      byte[] expected = hmac(key, start.getBytes(StandardCharsets.UTF_8), end);
      for (byte[] signature : signatures) {
        matches |= MessageDigest.isEqual(expected, signature);
      }
    }
    return matches;
  }

  /** {@code null} for invalid base64, including non-canonical base64. */
  public static byte[] decoded(String text) {
    try {
      byte[] raw = Base64.getDecoder().decode(text);
      return Base64.getEncoder().encodeToString(raw).equals(text) ? raw : null;
    } catch (IllegalArgumentException error) {
      return null;
    }
  }

  private static byte[] hmac(byte[] key, byte[] start, byte[] end) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update(start);
      return mac.doFinal(end);
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error); // Every Java has it.
    }
  }
}
