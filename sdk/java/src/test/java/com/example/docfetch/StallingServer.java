package com.example.docfetch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends the given texts to the first client, with the given actions between them, and keeps the connection open. */
final class StallingServer implements AutoCloseable {
  private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
  /** A field, because a socket without references would be closed. */
  private volatile Socket client;

  /** {@code script}: texts, and actions as {@link Runnable}. */
  StallingServer(Object... script) throws IOException {
    var thread = new Thread(() -> answer(script));
    thread.setDaemon(true);
    thread.start();
  }

  private void answer(Object... script) {
    try {
      client = socket.accept();
      client.setTcpNoDelay(true);
      client.getInputStream().read(new byte[4096]);
      for (Object step : script) {
        if (step instanceof Runnable) {
          ((Runnable) step).run();
        } else {
          client.getOutputStream().write(((String) step).getBytes(StandardCharsets.US_ASCII));
        }
      }
    } catch (IOException error) {
      // The test has ended.
    }
  }

  String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    if (client != null) {
      client.close();
    }
  }
}
