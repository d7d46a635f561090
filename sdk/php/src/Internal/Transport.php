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

    /**
     * Returns null for a response without content.
     *
     * @template T of Model
     * @param class-string<T> $type
     * @return T|null
     */
    public function call(Call $call, string $type): ?Model
    {
        $response = $this->send($call);
        if ($response->getStatusCode() === 204) {
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

    /** `isStream`: the body is read as it arrives. */
    public function send(Call $call, bool $isStream = false): ResponseInterface
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

        return $response;
    }
}
