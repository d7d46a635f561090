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
                $wait = $failure->retryAfter ?? $wait;
                if ($isLast || !self::isRetryable($call, $failure) || $wait > $this->maxWait) {
                    throw $failure;
                }
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
            // Of the service, or of a proxy in front of it; 501 is permanent.
            default => $failure->status >= 500 && $failure->status !== 501 && $call->isIdempotent(),
        };
    }
}
