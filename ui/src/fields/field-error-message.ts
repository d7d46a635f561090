import type { Messages } from '../messages/en';
import { type Lang, LOCALES, formatDay } from '../messages/date-format';
import type { FieldError } from './validate';

/** The message of a validation error, with its limit in the user's locale format. */
export function fieldErrorMessage(error: FieldError, messages: Messages['fields']['errors'], lang: Lang): string {
  const { limit = '' } = error;
  if (error.code === 'TOO_EARLY' || error.code === 'TOO_LATE')
    return messages[error.code](formatDay(String(limit), lang));
  const message = messages[error.code];
  if (typeof message === 'string') return message;
  return message(new Intl.NumberFormat(LOCALES[lang]).format(Number(limit)));
}
