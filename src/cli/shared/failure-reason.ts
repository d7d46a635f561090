import { NestFactory } from '@nestjs/core';
import { I18nService } from 'nestjs-i18n';
import { startupError } from '../../bootstrap/startup-error';
import { ApiError, tooMany } from '../../platform/errors/errors';
import { translations } from '../../platform/i18n/translations';
import { LimitExceeded } from '../../platform/rate-limit/limit-exceeded';

/** Why a command has failed, in one line. */
export async function failureReason(thrown: unknown): Promise<string> {
  const error = thrown instanceof LimitExceeded ? tooMany(thrown.code, thrown.quota.resetSeconds) : thrown;
  if (!(error instanceof ApiError)) return startupError(error);
  const context = await NestFactory.createApplicationContext(translations(), { logger: false, abortOnError: false });
  try {
    return sentence(context.get(I18nService), error);
  } finally {
    await context.close();
  }
}

/** An API error as one line: the invalid inputs or the reason, and when a retry is possible. */
function sentence(i18n: I18nService, { code, details }: ApiError): string {
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
