import type { I18nService } from 'nestjs-i18n';
import type { ApiError } from '../../platform/errors/errors';

/** An API error as one line: the invalid inputs or the reason, and when a retry is possible. */
export function sentence(i18n: I18nService, { code, details }: ApiError): string {
  const translate = (key: string, args: object = {}) => i18n.translate<string, string>(key, { lang: 'en', args });
  const invalidFields = (details.errors ?? []).map((invalidField) =>
    translate(`validation.${invalidField.code}`, { label: invalidField.field, ...invalidField.params }),
  );
  const { retryAfterSeconds: wait } = details;
  return [
    ...(invalidFields.length > 0 ? invalidFields : [translate(`errors.detail.${code}`, details.params)]),
    ...(wait === undefined ? [] : [`Try again in ${Math.max(1, Math.ceil(wait))} seconds.`]),
  ].join(' ');
}
