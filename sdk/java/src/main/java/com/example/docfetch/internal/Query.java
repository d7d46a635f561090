package com.example.docfetch.internal;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters of a URL. */
public final class Query {
  private static final Pattern ABSOLUTE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://[^/?#]+[^?#]*(?:\\?([^#]*))?");

  private Query() {}

  /** Empty if the URL is not absolute. */
  public static Optional<Map<String, List<String>>> of(String url) {
    Matcher match = ABSOLUTE.matcher(url);
    if (!match.matches()) {
      return Optional.empty();
    }
    Map<String, List<String>> found = new LinkedHashMap<>();
    if (match.group(1) != null) {
      for (String pair : match.group(1).split("&")) {
        int equals = pair.indexOf('=');
        String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
        found.computeIfAbsent(name, none -> new ArrayList<>()).add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
      }
    }
    return Optional.of(found);
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException error) {
      return text;
    }
  }
}
