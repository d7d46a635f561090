<?php

declare(strict_types=1);

namespace Docfetch\Internal;

use Docfetch\Api\ErrorCode;
use Docfetch\Exception\ConnectionException;
use Docfetch\Exception\DocfetchException;

/**
 * Repeats requests that were not processed, or that are safe to repeat.
 *
 * @internal
 */
final class Retries
{
    private const FIRST_BACKOFF = 0.5;
    private const MAX_BACKOFF = 8.0;

    /** Transient errors of the service, or of a proxy in front of it. */
    private const TRANSIENT = [500, 502, 503, 504];

    public function __construct(private readonly int $maxRetries, private readonly float $maxWait)
    {
    }

    /**
     * @template T
     * @param \Closure(): T $attempt
     * @return T
     */
    public function run(Call $call, \Closure $attempt): mixed
    {
        for ($count = 0; ; $count++) {
            $isLast = $count >= $this->maxRetries;
            $wait = min(self::MAX_BACKOFF, self::FIRST_BACKOFF * 2 ** $count) * mt_rand() / mt_getrandmax();
            try {
                return $attempt();
            } catch (ConnectionException $failure) {
                if ($isLast || !$call->isIdempotent()) {
                    throw $failure;
                }
            } catch (DocfetchException $failure) {
                if ($isLast || ($failure->retryAfter ?? 0) > $this->maxWait || !self::isRetryable($call, $failure)) {
                    throw $failure;
                }
                $wait = $failure->retryAfter ?? $wait;
            }
            usleep((int) ($wait * 1_000_000));
        }
    }

    private static function isRetryable(Call $call, DocfetchException $failure): bool
    {
        return match (true) {
            $failure->status === 429 => true, // It was not processed.
            // The first request with this key is still being processed; a retry returns its response.
            $failure->status === 409 => $failure->errorCode === ErrorCode::IDEMPOTENCY_IN_PROGRESS,
            default => in_array($failure->status, self::TRANSIENT, true) && $call->isIdempotent(),
        };
    }
}
