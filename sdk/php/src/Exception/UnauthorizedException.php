<?php

declare(strict_types=1);

namespace Docfetch\Exception;

/** 401: the credentials are missing or not valid. */
final class UnauthorizedException extends DocfetchException
{
}
