<?php

// Answers each request with the next of the raw answers in the file, a list in JSON: null closes the connection, and an answer
// that begins with "STALL" is sent without its end, while the connection stays open. Prints its port, then each request as JSON.

declare(strict_types=1);

$answers = json_decode(file_get_contents($argv[1]), true);
$server = stream_socket_server('tcp://127.0.0.1:0');
echo explode(':', stream_socket_get_name($server, false))[1], "\n";
$open = [];
foreach ($answers as $answer) {
    $client = stream_socket_accept($server, 60);
    $head = '';
    while (!str_ends_with($head, "\r\n\r\n")) {
        $head .= fgets($client);
    }
    $length = preg_match('/^content-length: (\d+)/im', $head, $match) ? (int) $match[1] : 0;
    $body = '';
    while (strlen($body) < $length) {
        $body .= fread($client, $length - strlen($body));
    }
    echo json_encode(['head' => $head, 'body' => $body]), "\n";
    if ($answer !== null && str_starts_with($answer, 'STALL')) {
        fwrite($client, substr($answer, 5));
        $open[] = $client;
    } else {
        fwrite($client, $answer ?? '');
        fclose($client);
    }
}
if ($open !== []) {
    sleep(30);
}
