<?php

declare(strict_types=1);

namespace Docfetch;

use Docfetch\Api\Transaction;

/** A page of the feed. It is empty if only the cursor has moved, for example at the start with `now`. */
final class PolledPage
{
    /**
     * @param list<Transaction> $transactions
     * @param string $cursor save it after you have stored the transactions, and continue from it: you then miss none. After a crash
     *     in between, the last page comes again, with the same `transaction_uuid`
     */
    public function __construct(public readonly array $transactions, public readonly string $cursor)
    {
    }
}
