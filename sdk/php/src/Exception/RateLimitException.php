<?php

declare(strict_types=1);

namespace Docfetch\Exception;

/** 429: too many requests, or fetches; see `retryAfter`. */
final class RateLimitException extends DocfetchException
{
}
