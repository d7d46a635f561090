package com.example.docfetch;

import static com.example.docfetch.ScriptedServer.error;
import static com.example.docfetch.ScriptedServer.json;
import static org.junit.jupiter.api.Assertions.*;

import com.example.docfetch.ScriptedServer.Answer;
import com.example.docfetch.errors.DocfetchConnectionException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that stalls, or closes the connection too early. */
@Timeout(10)
class LostAnswersTest {
  private static final String HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Disposition: attachment\r\nContent-Length: 80\r\n\r\n";
  private static final String TEN_BYTES = "0123456789";
  private static final UUID ID = UUID.fromString("0198f6a0-7d5c-7000-8000-000000000002");
  private static final Answer EMPTY = json(200, "{\"data\":[],\"meta\":{\"next_cursor\":null,\"has_more\":false}}");

  private static Docfetch client(String url, Duration timeout) {
    return Docfetch.builder(url).apiKey("k").timeout(timeout).maxRetries(0).build();
  }

  @Test
  void repeatsARequestWhoseAnswerBrokeOff() throws Exception {
    var headers = Map.of("Content-Type", "application/json", "Content-Length", "100");
    try (var server = new ScriptedServer(new Answer(200, headers, "{\"data\":"), EMPTY)) {
      var client = Docfetch.builder(server.url()).apiKey("k").build();
      assertTrue(client.fetches().listFetches(ID).getData().isEmpty());
    }
  }

  @Test
  void theLongestWaitDoesNotLimitPausesOfItsOwn() throws Exception {
    try (var server = new ScriptedServer(error(503, "X", null), EMPTY)) {
      var client = Docfetch.builder(server.url()).apiKey("k").maxRetryWait(Duration.ZERO).build();
      assertTrue(client.fetches().listFetches(ID).getData().isEmpty());
    }
  }

  @Test
  void limitsTheTimeUntilTheResponseAndInIt() throws Exception {
    for (String text : new String[] {"", HEAD, HEAD + "{\"data\":"}) {
      try (var server = new StallingServer(text)) {
        var client = client(server.url(), Duration.ofMillis(300));
        assertThrows(DocfetchConnectionException.class, () -> client.identities().listIdentities());
      }
    }
  }

  @Test
  void aDownloadThatStallsIsAnErrorAndLeavesNoFile(@TempDir Path folder) throws Exception {
    try (var server = new StallingServer(HEAD + TEN_BYTES);
        var download = client(server.url(), Duration.ofMillis(300)).downloadDocument(ID)) {
      var file = folder.resolve("document");
      var failure = assertThrows(IOException.class, () -> download.saveTo(file));
      assertEquals("no data within 300 ms", failure.getMessage());
      assertFalse(Files.exists(file));
    }
  }

  @Test
  void aDownloadThatEndsEarlyIsAnErrorAndLeavesNoFile(@TempDir Path folder) throws Exception {
    var headers = Map.of("Content-Disposition", "attachment", "Content-Length", "80");
    try (var server = new ScriptedServer(new Answer(200, headers, TEN_BYTES));
        var download = client(server.url(), Duration.ofMinutes(1)).downloadDocument(ID)) {
      var file = folder.resolve("document");
      assertThrows(IOException.class, () -> download.saveTo(file));
      assertFalse(Files.exists(file));
    }
  }

  @Test
  void aDownloadMayTakeLongerThanTheTimeLimitAsLongAsBytesArrive() throws Exception {
    Runnable pause = () -> sleep(400);
    try (var server = new StallingServer(HEAD + TEN_BYTES.repeat(5), pause, TEN_BYTES, pause, TEN_BYTES, pause, TEN_BYTES);
        var download = client(server.url(), Duration.ofSeconds(1)).downloadDocument(ID)) {
      assertEquals(80, download.readAllBytes().length);
    }
  }

  @Test
  void aReaderMayTakeItsTime() throws Exception {
    try (var server = new StallingServer(HEAD + TEN_BYTES.repeat(8));
        var download = client(server.url(), Duration.ofMillis(300)).downloadDocument(ID)) {
      assertEquals('0', download.read());
      sleep(900);
      assertEquals(79, download.readAllBytes().length);
    }
  }

  @Test
  void anInterruptionEndsTheWaiting() throws Exception {
    var later = "HTTP/1.1 429 X\r\nRetry-After: 20\r\nContent-Length: 0\r\n\r\n";
    for (String text : new String[] {"", HEAD + "{\"data\":", later}) {
      var reader = Thread.currentThread();
      Runnable interruption = reader::interrupt;
      try (var server = new StallingServer(text, interruption)) {
        var client = Docfetch.builder(server.url()).apiKey("k").timeout(Duration.ofMinutes(1)).build();
        assertThrows(DocfetchConnectionException.class, () -> client.identities().listIdentities());
        assertTrue(Thread.interrupted());
      }
    }
  }

  @Test
  void anInterruptionEndsADownload() throws Exception {
    try (var server = new StallingServer(HEAD + TEN_BYTES);
        var download = client(server.url(), Duration.ofMinutes(1)).downloadDocument(ID)) {
      assertEquals(10, download.readNBytes(10).length);
      Thread.currentThread().interrupt();
      assertThrows(InterruptedIOException.class, download::read);
      assertTrue(Thread.interrupted());
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
  }
}
