<?php

declare(strict_types=1);

namespace Docfetch\Exception;

use Docfetch\Api\FieldError;

/**
 * An error response of the service. Base decisions on `errorCode`; `detail` may be shown to end users. The subclasses are those of
 * the HTTP statuses.
 */
class DocfetchException extends \RuntimeException
{
    /** The code of a response that is not from Docfetch, e.g. from a proxy. */
    public const UNEXPECTED_ANSWER = 'UNEXPECTED_ANSWER';

    /** The status of HTTP. */
    public readonly int $status;

    /** One of {@see \Docfetch\Api\ErrorCode}, one of a later version, or `UNEXPECTED_ANSWER`. */
    public readonly string $errorCode;

    /** The kind of error, in the language of the request. */
    public readonly string $title;

    /** A message for end users, in the language of the request. */
    public readonly string $detail;

    /** The URL of the explanation of the code. */
    public readonly ?string $type;

    /** For the support team. */
    public readonly ?string $requestId;

    /**
     * The errors of all fields; empty if there are none.
     *
     * @var list<FieldError>
     */
    public readonly array $errors;

    /** The seconds until the request can succeed; null if unknown. */
    public readonly ?int $retryAfter;

    /**
     * @internal
     * @param array<string, mixed> $answer
     */
    public function __construct(array $answer)
    {
        $this->status = $answer['status'];
        $this->errorCode = $answer['code'];
        $this->title = $answer['title'];
        $this->detail = $answer['detail'];
        $this->type = $answer['type'];
        $this->requestId = $answer['request_id'];
        $this->errors = $answer['errors'];
        $this->retryAfter = $answer['retry_after'];
        $request = $this->requestId === null ? '' : " ($this->requestId)";
        parent::__construct("$this->status $this->errorCode: $this->detail$request", $this->status);
    }
}
