package com.example.docfetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LargeDocumentTest {
  /** In a process whose heap and buffers together are half as large as the document. */
  @Test
  void downloadsADocumentOf100MibInConstantMemory() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java, "-Xmx32m", "-XX:MaxDirectMemorySize=16m", "-cp", System.getProperty("java.class.path"),
                LargeDownload.class.getName())
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var digest = Environment.variable("DOCFETCH_LARGE_SHA256");
    assertEquals(Environment.variable("DOCFETCH_LARGE_BYTES") + " " + digest + " " + digest, output);
    assertEquals(0, process.waitFor());
  }
}
