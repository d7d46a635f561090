<?php

declare(strict_types=1);

namespace Docfetch\Exception;

/** 413, 416 and 422: the request cannot be processed; `errors` lists the fields. */
final class ValidationException extends DocfetchException
{
}
