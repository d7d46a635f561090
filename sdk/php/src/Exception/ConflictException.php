<?php

declare(strict_types=1);

namespace Docfetch\Exception;

/** 409: not now; see `retryAfter`. */
final class ConflictException extends DocfetchException
{
}
