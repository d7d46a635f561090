<?php

declare(strict_types=1);

namespace Docfetch\Exception;

/** 404: there is no such resource. */
final class NotFoundException extends DocfetchException
{
}
