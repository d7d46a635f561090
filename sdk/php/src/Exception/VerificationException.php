<?php

declare(strict_types=1);

namespace Docfetch\Exception;

/** A verification failed: do not use the data. */
final class VerificationException extends \RuntimeException
{
    public const MALFORMED = 'MALFORMED';
    public const SIGNATURE_MISSING = 'SIGNATURE_MISSING';
    public const SIGNATURE_INVALID = 'SIGNATURE_INVALID';
    public const EXPIRED = 'EXPIRED';
    public const FROM_THE_FUTURE = 'FROM_THE_FUTURE';

    /** `reason` is for your log, not for the sender. */
    public function __construct(public readonly string $reason)
    {
        parent::__construct("The verification failed: $reason");
    }
}
