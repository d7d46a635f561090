<?php

declare(strict_types=1);

namespace Docfetch;

use Docfetch\Internal\Members;

/**
 * A body of the API. Its getters return `null` for what is missing. `null` that was set is sent; what was not set is not.
 */
abstract class Model implements \JsonSerializable
{
    /** The types of the members, by their names in JSON. */
    protected const TYPES = [];

    /** The members that the API always sends, except those that may be null. */
    protected const REQUIRED = [];

    /** Members whose values are not for logs: credentials, form input, addresses that contain a token, and large content. */
    private const HIDDEN = [
        'token', 'secret', 'signing_secret', 'password', 'fields', 'authorization_url', 'ui_url', 'base64',
    ];

    /** @var array<string, mixed> */
    protected array $members = [];

    /**
     * @param array<string, mixed> $members by their names in JSON; objects may be arrays
     * @throws \UnexpectedValueException a member is not of its type
     */
    final public function __construct(#[\SensitiveParameter] array $members = [])
    {
        foreach ($members as $name => $value) {
            $this->members[$name] = Members::read(static::TYPES[$name] ?? 'mixed', $value);
        }
    }

    /**
     * Properties that a later version of the service has added.
     *
     * @return array<string, mixed>
     */
    final public function getAdditionalProperties(): array
    {
        return array_diff_key($this->members, static::TYPES);
    }

    /** Whether everything is there that the API always sends, also in the bodies that this one contains. */
    final public function isComplete(): bool
    {
        foreach (static::REQUIRED as $name) {
            if (!isset($this->members[$name])) {
                return false;
            }
        }
        foreach ($this->members as $member) {
            foreach (is_array($member) ? $member : [$member] as $one) {
                if ($one instanceof self && !$one->isComplete()) {
                    return false;
                }
            }
        }

        return true;
    }

    /** For the getters of members that the API always sends. */
    final protected function required(string $name): mixed
    {
        return $this->members[$name] ?? throw new \UnexpectedValueException("$name is missing in " . static::class . '.');
    }

    final public function jsonSerialize(): object
    {
        $found = [];
        foreach ($this->members as $name => $value) {
            $found[$name] = Members::write(static::TYPES[$name] ?? 'mixed', $value);
        }

        return (object) $found;
    }

    /**
     * For logs and debuggers: without credentials, form input and the content of documents.
     *
     * @return array<string, mixed>
     */
    final public function __debugInfo(): array
    {
        $shown = $this->members;
        foreach (self::HIDDEN as $name) {
            if (isset($shown[$name])) {
                $shown[$name] = '…';
            }
        }

        return $shown;
    }
}
