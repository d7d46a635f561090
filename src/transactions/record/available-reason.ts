import { TOO_LARGE_FOR_PUSH } from './log-too-large';

/** The reason of `document.available` for a copy of an invoice that the environment holds. */
export const DUPLICATE = 'DUPLICATE';

/** Why a document is available that would otherwise be pushed. */
export const AVAILABLE_REASONS = [TOO_LARGE_FOR_PUSH, DUPLICATE] as const;
export type AvailableReason = (typeof AVAILABLE_REASONS)[number];
