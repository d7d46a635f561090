<?php

declare(strict_types=1);

namespace Docfetch\Exception;

/** 5xx: an error of the service, or of a proxy in front of it. */
final class InternalException extends DocfetchException
{
}
