<?php

declare(strict_types=1);

namespace Docfetch\Exception;

/** 403: the credentials do not allow this. */
final class ForbiddenException extends DocfetchException
{
}
