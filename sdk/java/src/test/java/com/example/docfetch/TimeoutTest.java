package com.example.docfetch;

import static org.junit.jupiter.api.Assertions.*;

import com.example.docfetch.errors.DocfetchConnectionException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that stalls, or closes the connection too early. */
@Timeout(20)
class TimeoutTest {
  private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";
  private static final UUID ID = UUID.fromString("0198f6a0-7d5c-7000-8000-000000000002");

  /** Sends the text to the first client, and keeps the connection open until it is closed itself. */
  private static final class Stalling implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));

    Stalling(String text, boolean isClosing) throws IOException {
      var thread =
          new Thread(
              () -> {
                try {
                  var client = socket.accept();
                  client.getInputStream().read(new byte[4096]);
                  client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                  if (isClosing) {
                    client.close();
                  }
                } catch (IOException error) {
                  // The test has ended.
                }
              });
      thread.setDaemon(true);
      thread.start();
    }

    Docfetch client() {
      return Docfetch.builder("http://127.0.0.1:" + socket.getLocalPort())
          .apiKey("k")
          .timeout(Duration.ofMillis(300))
          .maxRetries(0)
          .build();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void limitsTheTimeUntilTheResponseAndInIt() throws Exception {
    for (String text : new String[] {"", HEAD, HEAD + "{\"data\":"}) {
      try (var server = new Stalling(text, false)) {
        var client = server.client();
        assertThrows(DocfetchConnectionException.class, () -> client.identities().listIdentities());
      }
    }
  }

  @Test
  void aDownloadThatStallsOrEndsTooEarlyIsAnErrorAndLeavesNoFile(@TempDir Path folder) throws Exception {
    for (boolean isClosing : new boolean[] {false, true}) {
      try (var server = new Stalling(HEAD + "some bytes", isClosing);
          var download = server.client().downloadDocument(ID)) {
        var file = folder.resolve("document");
        assertThrows(IOException.class, () -> download.saveTo(file));
        assertFalse(Files.exists(file));
      }
    }
  }

  @Test
  void anInterruptionEndsTheWaiting() throws Exception {
    try (var server = new Stalling("", false)) {
      var client = server.client();
      Thread.currentThread().interrupt();
      assertThrows(DocfetchConnectionException.class, () -> client.identities().listIdentities());
      assertTrue(Thread.interrupted());
    }
  }
}
