/** The modification time of test files: long enough ago to count as complete. */
export const MODIFIED_AT = new Date(Date.now() - 3_600_000);
