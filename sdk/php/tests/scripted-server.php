<?php

// Answers each request with the next of the raw answers in the file, a list in JSON: null closes the connection, and an answer
// that begins with "STALL" is sent without its end, while the connection stays open; one that begins with "SLOWLY" in four pieces,
// with pauses of 0.4 seconds. Prints its port, then each request as JSON.

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
    } elseif ($answer !== null && str_starts_with($answer, 'SLOWLY')) {
        foreach ([substr($answer, 6, -9), ...str_split(substr($answer, -9), 3)] as $piece) {
            fwrite($client, $piece);
            usleep(400_000);
        }
        fclose($client);
    } else {
        fwrite($client, $answer ?? '');
        fclose($client);
    }
}
if ($open !== []) {
    sleep(10); // unless it is killed before
}
