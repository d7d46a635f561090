<?php

declare(strict_types=1);

namespace Docfetch\Internal;

use Docfetch\Api\FieldError;
use Docfetch\Exception;
use Docfetch\Exception\DocfetchException;
use Psr\Http\Message\ResponseInterface;

/**
 * Errors of responses.
 *
 * @internal
 */
final class Failures
{
    /** An error response of another program can have any size. */
    private const MAX_BYTES = 1 << 20;

    private const CLASSES = [
        401 => Exception\UnauthorizedException::class,
        403 => Exception\ForbiddenException::class,
        404 => Exception\NotFoundException::class,
        409 => Exception\ConflictException::class,
        413 => Exception\ValidationException::class,
        416 => Exception\ValidationException::class,
        422 => Exception\ValidationException::class,
        429 => Exception\RateLimitException::class,
    ];

    public static function of(ResponseInterface $response): DocfetchException
    {
        $status = $response->getStatusCode();
        $class = $status >= 500 ? Exception\InternalException::class : self::CLASSES[$status] ?? DocfetchException::class;
        $body = json_decode(self::textOf($response), true);
        $isError = is_array($body) && is_string($body['code'] ?? null) && is_string($body['detail'] ?? null);
        if (!$isError) {
            return new $class(self::unexpected($response));
        }
        $texts = array_filter($body, is_string(...));

        return new $class([
            ...self::unexpected($response),
            ...array_intersect_key($texts, ['code' => 1, 'detail' => 1, 'title' => 1, 'type' => 1, 'request_id' => 1]),
            'errors' => self::errorsOf($body['errors'] ?? null),
        ]);
    }

    /** @return list<FieldError> */
    private static function errorsOf(mixed $errors): array
    {
        $found = [];
        foreach (is_array($errors) ? $errors : [] as $error) {
            try {
                $found[] = new FieldError(is_array($error) ? $error : []);
            } catch (\UnexpectedValueException) {
                // Not an error of a field.
            }
        }

        return array_values(array_filter($found, static fn (FieldError $error): bool => $error->isComplete()));
    }

    /**
     * Of a response that is not from Docfetch, e.g. from a proxy.
     *
     * @return array<string, mixed>
     */
    public static function unexpected(ResponseInterface $response): array
    {
        $status = $response->getStatusCode();

        return [
            'status' => $status,
            'code' => DocfetchException::UNEXPECTED_ANSWER,
            'title' => $response->getReasonPhrase(),
            'detail' => "The response with status $status is not from Docfetch.",
            'type' => null,
            'request_id' => $response->getHeaderLine('X-Request-Id') ?: null,
            'errors' => [],
            'retry_after' => self::retryAfterOf($response->getHeaderLine('Retry-After')),
        ];
    }

    private static function textOf(ResponseInterface $response): string
    {
        $body = $response->getBody();
        $text = '';
        while (!$body->eof() && strlen($text) < self::MAX_BYTES) {
            $chunk = $body->read(65536);
            if ($chunk === '') {
                break;
            }
            $text .= $chunk;
        }

        return $text;
    }

    /** The seconds of Retry-After in either of its forms (RFC 9110 10.2.3). */
    private static function retryAfterOf(string $header): ?int
    {
        if (preg_match('/\A[0-9]{1,9}\z/', $header) === 1) {
            return (int) $header;
        }
        $at = \DateTimeImmutable::createFromFormat('D, d M Y H:i:s \G\M\T', $header, new \DateTimeZone('UTC'));

        return $at === false ? null : max(0, $at->getTimestamp() - time());
    }
}
