import { startupError } from '../../bootstrap/startup-error';
import { ApiError, tooMany } from '../../platform/errors/errors';
import { translate } from '../../platform/errors/translate';
import { LimitExceeded } from '../../platform/rate-limit/limit-exceeded';
import { withMessages } from './with-messages';

/** Why a command has failed, in one line. */
export async function failureReason(thrown: unknown): Promise<string> {
  const error = thrown instanceof LimitExceeded ? tooMany(thrown.code, thrown.quota.resetSeconds) : thrown;
  return error instanceof ApiError ? withMessages(() => sentence(error)) : startupError(error);
}

/** An API error as one line: the invalid inputs or the reason, and when a retry is possible. */
function sentence({ code, details }: ApiError): string {
  const invalidFields = (details.errors ?? []).map((invalidField) =>
    translate(`validation.${invalidField.code}`, { label: invalidField.field, ...invalidField.params }),
  );
  const { retryAfterSeconds: wait } = details;
  return [
    ...(invalidFields.length > 0 ? invalidFields : [translate(`errors.detail.${code}`, details.params)]),
    ...(wait === undefined ? [] : [`Try again in ${Math.max(1, Math.ceil(wait))} seconds.`]),
  ].join(' ');
}
