<?php

declare(strict_types=1);

namespace Docfetch\Exception;

/** There was no complete response: the service may or may not have processed the request. */
final class ConnectionException extends \RuntimeException
{
}
