package com.example.docfetch;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The bytes of a document, read as they arrive, in constant memory. Reading throws an exception if the document is incomplete. */
public final class Download extends FilterInputStream {
  private static final Pattern DIGEST = Pattern.compile("\"([0-9a-f]{64})\"");
  private static final Pattern EXTENDED_NAME =
      Pattern.compile(";\\s*filename\\*=UTF-8''([^;\\s]+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern PLAIN_NAME =
      Pattern.compile(";\\s*filename=(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([^;\\s]+))", Pattern.CASE_INSENSITIVE);

  private final HttpResponse<InputStream> response;

  Download(HttpResponse<InputStream> response) {
    super(response.body());
    this.response = response;
  }

  /** The file name at the source. It comes from an e-mail or a portal: never use it as a path. */
  public Optional<String> getFilename() {
    return header("Content-Disposition").flatMap(Download::filenameOf);
  }

  /** The number of bytes in this response. */
  public OptionalLong getSize() {
    return response.headers().firstValueAsLong("Content-Length");
  }

  /** The SHA-256 of the whole document in hexadecimal. */
  public Optional<String> getSha256() {
    return header("ETag").map(DIGEST::matcher).filter(Matcher::matches).map(match -> match.group(1));
  }

  /** Whether the bytes are those of the range that was requested. */
  public boolean isPartial() {
    return response.statusCode() == 206;
  }

  /** Writes all bytes into a new file, which is deleted again if the download fails, and returns their number. */
  public long saveTo(Path file) throws IOException {
    Files.createFile(file);
    try {
      return Files.copy(this, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException | RuntimeException error) {
      Files.deleteIfExists(file);
      throw error;
    }
  }

  private Optional<String> header(String name) {
    return response.headers().firstValue(name);
  }

  /** The extended form, which supports all characters, takes precedence (RFC 6266). */
  private static Optional<String> filenameOf(String header) {
    Matcher extended = EXTENDED_NAME.matcher(header);
    if (extended.find()) {
      try {
        return Optional.of(URLDecoder.decode(extended.group(1).replace("+", "%2B"), StandardCharsets.UTF_8));
      } catch (IllegalArgumentException error) {
        // Falls back to the plain form.
      }
    }
    Matcher plain = PLAIN_NAME.matcher(header);
    if (!plain.find()) {
      return Optional.empty();
    }
    return Optional.of(plain.group(1) == null ? plain.group(2) : plain.group(1).replaceAll("\\\\(.)", "$1"));
  }
}
