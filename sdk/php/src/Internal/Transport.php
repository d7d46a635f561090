<?php

declare(strict_types=1);

namespace Docfetch\Internal;

use Docfetch\Exception\ConnectionException;
use Docfetch\Exception\DocfetchException;
use Docfetch\Model;
use GuzzleHttp\Exception\GuzzleException;
use GuzzleHttp\RequestOptions;
use Psr\Http\Message\ResponseInterface;

/**
 * Sends the requests of the generated code with credentials and language, and repeats those that are safe to repeat.
 *
 * @internal
 */
final class Transport
{
    private readonly Retries $retries;

    public function __construct(private readonly Settings $settings)
    {
        $this->retries = new Retries($settings->maxRetries, $settings->maxRetryWait);
    }

    /** For operations without a response body. */
    public function execute(Call $call): void
    {
        $this->json($call);
    }

    /**
     * Returns null for a response without content, if the operation has such a response.
     *
     * @template T of Model
     * @param class-string<T> $type
     * @return T|null
     */
    public function call(Call $call, string $type, bool $mayBeEmpty = false): ?Model
    {
        $response = $this->json($call);
        if ($mayBeEmpty && $response->getStatusCode() === 204) {
            return null;
        }
        $body = json_decode((string) $response->getBody(), true);
        try {
            $found = is_array($body) ? new $type($body) : null;
        } catch (\UnexpectedValueException) {
            $found = null;
        }
        if ($found === null || !$found->isComplete()) {
            throw new DocfetchException(Failures::unexpected($response));
        }

        return $found;
    }

    public function text(Call $call): string
    {
        return (string) $this->send($call)->getBody();
    }

    /** The response with a file, whose body is read as it arrives. */
    public function open(Call $call): ResponseInterface
    {
        $response = $this->send($call, isStream: true);
        if (!$response->hasHeader('Content-Disposition')) {
            $response->getBody()->close();
            throw new DocfetchException(Failures::unexpected($response));
        }

        return $response;
    }

    /** A success of another type may be a page of a proxy, such as a login form. */
    private function json(Call $call): ResponseInterface
    {
        $response = $this->send($call);
        $isJson = preg_match('~\Aapplication/([\w.-]+\+)?json\b~i', $response->getHeaderLine('Content-Type')) === 1;
        if ($response->getStatusCode() !== 204 && !$isJson) {
            throw new DocfetchException(Failures::unexpected($response));
        }

        return $response;
    }

    private function send(Call $call, bool $isStream = false): ResponseInterface
    {
        return $this->retries->run($call, fn (): ResponseInterface => $this->attempt($call, $isStream));
    }

    private function attempt(Call $call, bool $isStream): ResponseInterface
    {
        $timeout = $this->settings->timeout;
        $options = [
            RequestOptions::HEADERS => $this->settings->headersOf($call),
            RequestOptions::HTTP_ERRORS => false,
            // The service never redirects, and the key must not be sent to another server.
            RequestOptions::ALLOW_REDIRECTS => false,
            RequestOptions::CONNECT_TIMEOUT => $timeout,
            RequestOptions::TIMEOUT => $timeout,
            RequestOptions::READ_TIMEOUT => $timeout,
            RequestOptions::STREAM => $isStream,
        ];
        if ($call->body !== null) {
            $options[RequestOptions::HEADERS]['Content-Type'] = 'application/json';
            $options[RequestOptions::BODY] = json_encode(
                $call->body,
                JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES,
            );
        }
        $url = $this->settings->baseUrl . $call->path;
        try {
            $response = $this->settings->http->request($call->method, $url, $options);
        } catch (GuzzleException $error) {
            // Not as the previous exception: it has the request, and so the credentials. Parameters may be personal data.
            throw new ConnectionException("$call received no response: " . str_replace(" for $url", '', $error->getMessage()));
        }
        if (intdiv($response->getStatusCode(), 100) !== 2) {
            throw Failures::of($response);
        }
        $length = $response->getHeaderLine('Content-Length');
        // Guzzle notices this only with curl.
        if (!$isStream && ctype_digit($length) && ($response->getBody()->getSize() ?? INF) < (int) $length) {
            throw new ConnectionException("$call received an incomplete response.");
        }

        return $response;
    }
}
