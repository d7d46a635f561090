import type { I18nService } from 'nestjs-i18n';
import type { ApiError } from '../../platform/errors/errors';

/** An API error as one line: the invalid inputs or the reason, and when a retry is possible. */
export function sentence(i18n: I18nService, { code, details }: ApiError): string {
  const say = (key: string, args: object = {}) => i18n.translate<string, string>(key, { lang: 'en', args });
  const faults = (details.errors ?? []).map((fault) =>
    say(`validation.${fault.code}`, { label: fault.field, ...fault.params }),
  );
  const { retryAfterSeconds: wait } = details;
  return [
    ...(faults.length > 0 ? faults : [say(`errors.detail.${code}`, details.params)]),
    ...(wait === undefined ? [] : [`Try again in ${Math.max(1, Math.ceil(wait))} seconds.`]),
  ].join(' ');
}
