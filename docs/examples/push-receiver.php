<?php
// Receives the documents that Docfetch pushes. PHP 8.1 or newer, no dependencies: copy it and change `process`.
//
//   SECRET='whsec_…' TOKEN='…' php push-receiver.php
//
// SECRET  the signing secret of your environment; to receive a webhook's events instead, the secret of the webhook
// TOKEN   the bearer token that you gave to the support team; leave it out when there is none
// PORT    default 4000, 0 for any free one
// HOST    default 127.0.0.1
// FOLDER  where documents are stored, default ./received; for one receiver at a time
//
// It brings its own small server, so that it runs anywhere. Behind a web server of your own, call `receive` with
// $_SERVER['REQUEST_METHOD'], the headers and file_get_contents('php://input'), and answer with the status it returns.

declare(strict_types=1);

/** Documents of up to 50 MiB are pushed; base64 makes them a third longer. */
const MAX_BODY_BYTES = 100 * 1024 * 1024;
const MAX_HEAD_BYTES = 64 * 1024;
/** A message that was signed longer ago, or in the future, may be a replay. */
const TOLERANCE_SECONDS = 300;
/** A connection on which nothing arrives for this long is closed. */
const IDLE_SECONDS = 60;
const UUID = '/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/D';

const JSON_FLAGS = JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR;

define('SECRET', (string) getenv('SECRET'));
define('TOKEN', (string) getenv('TOKEN'));
define('PORT', getenv('PORT') === false ? '4000' : getenv('PORT'));
define('HOST', getenv('HOST') ?: '127.0.0.1');
define('FOLDER', getenv('FOLDER') ?: 'received');

/** Your application's handler of a webhook event. Events are not sent twice: what you miss is still in the API. */
function handle_event(stdClass $event): void
{
    // For `document.available`: GET /v1/transactions/{data.transaction_uuid}/document with your API key.
    print_json(['type' => $event->type, 'timestamp' => $event->timestamp ?? null, 'data' => $event->data ?? null]);
}

/**
 * Your application's handler of a document. It runs after the response, in a process of its own, so it may take any time.
 * When it fails, or the program ends before it has finished, it runs again at the next start: running twice must do no harm.
 */
function process(stdClass $payload): void
{
    $document = $payload->document;
    $content = base64_decode($document->base64);
    // The name comes from a mail or a portal: never use it as a path. Most file systems allow 255 bytes.
    $name = preg_replace('/[^\p{L}\p{M}\p{N} ._&()-]/u', '_', $document->filename);
    preg_match('/.{0,60}$/Dsu', $name, $end);
    // Not in the middle of a character.
    $name = preg_replace('/^[\x80-\xbf]+/', '', substr($end[0], -180));
    $path = FOLDER . "/$payload->transaction_uuid $name";
    write_file($path, $content);
    $description = [
        'transaction_uuid' => $payload->transaction_uuid,
        'client_identifier' => $payload->client_identifier,
        'connection_uuid' => $payload->connection_uuid,
        'document_type' => $payload->document_type,
        'external_id' => $payload->external_id,
        'filename' => $document->filename,
        'mime_type' => $document->mime_type,
        'size' => strlen($content),
        'sha256' => hash('sha256', $content),
        'metadata' => $payload->metadata,
    ];
    write_file("$path.metadata.json", json_encode($description, JSON_FLAGS | JSON_PRETTY_PRINT));
    print_json($description);
}

/** Returns the status to answer, and what to do after the response: null, a new document's uuid or an event. */
function receive(string $method, array $headers, string $body): array
{
    if ($method !== 'POST') {
        return [405, null];
    }
    if (TOKEN !== '' && !hash_equals('Bearer ' . TOKEN, $headers['authorization'] ?? '')) {
        return refuse('wrong bearer token');
    }
    $problem = signature_problem($headers, $body);
    if ($problem !== null) {
        return refuse($problem);
    }
    $payload = json_decode($body, flags: JSON_THROW_ON_ERROR);
    if (is_string($payload->type ?? null)) {
        return [200, $payload];
    }
    $uuid = $payload->transaction_uuid ?? null;
    if (!is_string($uuid) || !preg_match(UUID, $uuid)) {
        return [400, null];
    }
    // Store it before you answer 200: from then on you alone have the document. It may arrive twice
    // (a response got lost): answer 200 again, but do not process it again.
    return [200, store($uuid, $body) ? $uuid : null];
}

/**
 * Checks the signature over the body exactly as it arrived (https://www.standardwebhooks.com): HMAC-SHA256 of
 * "id.timestamp.body". During a rotation of the secret there are two signatures, and one of them has to match.
 * Returns the problem, or null.
 */
function signature_problem(array $headers, string $body): ?string
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    $signatures = $headers['webhook-signature'] ?? '';
    if ($id === '' || $signatures === '' || !preg_match('/^\d{1,12}$/D', $timestamp)) {
        return 'not signed';
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return 'signed too long ago';
    }
    $key = base64_decode(substr(SECRET, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // Compares with all of them, whichever matches: the time it takes reveals nothing.
    $matching = array_filter(explode(' ', $signatures), fn ($signature) => hash_equals($expected, $signature));
    return $matching ? null : 'wrong signature';
}

function refuse(string $reason): array
{
    fwrite(STDERR, "Refused a request: $reason.\n");
    return [401, null];
}

/** Writes the body under the transaction's uuid, completely or not at all. Returns false when it is stored already. */
function store(string $uuid, string $body): bool
{
    $unfinished = FOLDER . '/.' . bin2hex(random_bytes(16));
    $path = FOLDER . "/$uuid.json";
    try {
        write_file($unfinished, $body);
        if (@link($unfinished, $path)) {
            sync_folder();
            return true;
        }
        clearstatcache();
        return is_file($path) ? false : throw new RuntimeException("Cannot create $path");
    } finally {
        @unlink($unfinished);
    }
}

/** Writes a file that survives a power failure. */
function write_file(string $path, string $content): void
{
    $file = @fopen($path, 'w');
    if (!$file || fwrite($file, $content) !== strlen($content) || !fsync($file) || !fclose($file)) {
        throw new RuntimeException("Cannot write $path");
    }
}

/** Makes a new file in the folder survive a power failure. Windows does so by itself. */
function sync_folder(): void
{
    if (PHP_OS_FAMILY !== 'Windows') {
        fsync(fopen(FOLDER, 'r'));
    }
}

/** Processes a stored document. Its body is then replaced by an empty file, which marks the document as known. */
function finish(string $uuid): void
{
    $path = FOLDER . "/$uuid.json";
    try {
        process(json_decode(file_get_contents($path), flags: JSON_THROW_ON_ERROR));
        file_put_contents($path, '');
    } catch (Throwable $error) {
        fwrite(STDERR, "Processing $uuid failed: {$error->getMessage()}\n");
    }
}

/** Processes what the last run has stored but not finished: it was answered with 200, and is not sent again. */
function resume(): void
{
    foreach (scandir(FOLDER) as $name) {
        $path = FOLDER . "/$name";
        $uuid = basename($name, '.json');
        if (preg_match('/^\.[0-9a-f]{32}$/D', $name)) {
            unlink($path);
        } elseif ($name === "$uuid.json" && preg_match(UUID, $uuid) && filesize($path) > 0) {
            finish($uuid);
        }
    }
}

function print_json(mixed $value): void
{
    fwrite(STDOUT, json_encode($value, JSON_FLAGS) . "\n");
}

function stop_with(string $message): never
{
    fwrite(STDERR, "$message\n");
    exit(1);
}

/** One request of a sender: HTTP/1.1 as far as Docfetch uses it. */
final class Connection
{
    public bool $answered = false;
    public int $lastActive;
    private string $received = '';

    public function __construct(public readonly mixed $socket)
    {
        stream_set_blocking($socket, false);
        stream_set_chunk_size($socket, 1024 * 1024);
        $this->lastActive = time();
    }

    /** Reads what has arrived. Returns method, headers and body when all of it has, and a status when it cannot be read. */
    public function read(): array|int|null
    {
        $this->lastActive = time();
        $part = fread($this->socket, 1024 * 1024);
        if ($this->answered) {
            return null;
        }
        $this->received .= $part;
        $end = strpos($this->received, "\r\n\r\n");
        if ($end === false) {
            return strlen($this->received) > MAX_HEAD_BYTES ? 431 : null;
        }
        $lines = explode("\r\n", substr($this->received, 0, $end));
        $headers = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
        }
        $length = $headers['content-length'] ?? '0';
        if (isset($headers['transfer-encoding']) || !preg_match('/^\d{1,12}$/D', $length)) {
            return 411;
        }
        if ($length > MAX_BODY_BYTES) {
            return 413;
        }
        if (strlen($this->received) < $end + 4 + $length) {
            return null;
        }
        return [explode(' ', $lines[0])[0], $headers, substr($this->received, $end + 4, (int) $length)];
    }

    /** The sender closes the connection: a response may get lost when it is closed while data arrives. */
    public function answer(int $status): void
    {
        $this->answered = true;
        $this->received = '';
        $allow = $status === 405 ? "Allow: POST\r\n" : '';
        @fwrite($this->socket, "HTTP/1.1 $status \r\n{$allow}Content-Length: 0\r\nConnection: close\r\n\r\n");
        @stream_socket_shutdown($this->socket, STREAM_SHUT_WR);
    }
}

ini_set('memory_limit', '-1');
if (!str_starts_with(SECRET, 'whsec_')) {
    stop_with('Set SECRET to the signing secret of your environment (whsec_…).');
}
// The process for documents: it reads the uuid of each, and ends with the server.
if (($argv[1] ?? null) === '--process') {
    while (($line = fgets(STDIN)) !== false) {
        finish(trim($line));
    }
    exit(0);
}
if (!is_dir(FOLDER)) {
    mkdir(FOLDER, 0700, true);
}
resume();
// It starts before the server: otherwise it would inherit the port and keep it.
$processor = proc_open([PHP_BINARY, __FILE__, '--process'], [['pipe', 'r'], STDOUT, STDERR], $pipes);
$host = str_contains(HOST, ':') ? '[' . HOST . ']' : HOST;
$server = @stream_socket_server("tcp://$host:" . PORT, $code, $error) ?: stop_with('Cannot listen on port ' . PORT . ": $error");
$stopping = false;
if (function_exists('pcntl_signal')) {
    pcntl_async_signals(true);
    foreach ([SIGINT, SIGTERM] as $signal) {
        pcntl_signal($signal, function () use (&$stopping): void {
            $stopping = true;
        });
    }
}
echo 'Listening on http://', stream_socket_get_name($server, false), "/\n";

/** @var Connection[] $connections */
$connections = [];
// After a signal, the requests that are being received are answered; what is being processed is resumed at the next start.
while (!$stopping || array_filter($connections, fn ($connection) => !$connection->answered)) {
    $ready = array_map(fn ($connection) => $connection->socket, $connections);
    if ($stopping) {
        $server = null;
    } else {
        $ready[] = $server;
    }
    // False after a signal.
    if (@stream_select($ready, $none, $none, 1) === false) {
        continue;
    }
    foreach ($ready as $socket) {
        if ($socket === $server) {
            $accepted = @stream_socket_accept($server, 0);
            if ($accepted) {
                $connections[(int) $accepted] = new Connection($accepted);
            }
            continue;
        }
        $connection = $connections[(int) $socket];
        $request = $connection->read();
        if ($request === null) {
            continue;
        }
        try {
            [$status, $result] = is_int($request) ? [$request, null] : receive(...$request);
        } catch (Throwable $error) {
            // Docfetch tries again: nothing is lost.
            fwrite(STDERR, "Receiving failed: {$error->getMessage()}\n");
            [$status, $result] = [500, null];
        }
        $connection->answer($status);
        if (is_string($result)) {
            fwrite($pipes[0], "$result\n");
        } elseif ($result) {
            handle_event($result);
        }
    }
    $connections = array_filter(
        $connections,
        fn ($connection) => !feof($connection->socket) && time() - $connection->lastActive < IDLE_SECONDS,
    );
}
proc_terminate($processor);
