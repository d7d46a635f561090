/** An error in the operator's input: shown as one line, exit status 1. */
export class UsageError extends Error {}
