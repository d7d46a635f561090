<?php

declare(strict_types=1);

namespace Docfetch\Tests;

/** A server in a process of its own, which answers each request with the next of the given answers. */
final class ScriptedServer
{
    public readonly string $url;

    /** @var resource */
    private $process;

    /** @var resource */
    private $output;

    private string $script;

    /** @param string|null ...$answers as they are sent; null closes the connection */
    public function __construct(?string ...$answers)
    {
        $this->script = tempnam(sys_get_temp_dir(), 'docfetch-');
        file_put_contents($this->script, json_encode($answers, JSON_THROW_ON_ERROR));
        $command = [PHP_BINARY, __DIR__ . '/scripted-server.php', $this->script];
        $this->process = proc_open($command, [1 => ['pipe', 'w']], $pipes);
        $this->output = $pipes[1];
        $this->url = 'http://127.0.0.1:' . trim(fgets($this->output));
    }

    public function __destruct()
    {
        proc_terminate($this->process);
        proc_close($this->process);
        unlink($this->script);
    }

    /** @param array<string, string> $headers */
    public static function answer(int $status, string $body, array $headers = []): string
    {
        $lines = ["HTTP/1.1 $status X", 'Content-Length: ' . strlen($body), 'Connection: close'];
        foreach ($headers + ['Content-Type' => 'application/json'] as $name => $value) {
            $lines[] = "$name: $value";
        }

        return implode("\r\n", $lines) . "\r\n\r\n" . $body;
    }

    public static function error(int $status, string $code, ?string $retryAfter = null): string
    {
        $body = ['status' => $status, 'code' => $code, 'title' => 'T', 'detail' => 'D', 'errors' => []];

        return self::answer($status, json_encode($body), $retryAfter === null ? [] : ['Retry-After' => $retryAfter]);
    }

    /**
     * The next request that was received.
     *
     * @return array{line: string, headers: array<string, string>, body: string}
     */
    public function request(): array
    {
        ['head' => $head, 'body' => $body] = json_decode(fgets($this->output), true);
        $lines = explode("\r\n", trim($head));
        $headers = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = explode(': ', $line, 2);
            $headers[strtolower($name)] = isset($headers[strtolower($name)]) ? 'TWICE' : $value;
        }

        return ['line' => $lines[0], 'headers' => $headers, 'body' => $body];
    }
}
