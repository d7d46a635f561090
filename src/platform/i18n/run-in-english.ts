import { I18nContext, type I18nService } from 'nestjs-i18n';

/** Disables ICU messages, which `i18n/` does not use; the class itself is not exported. */
export const NO_ICU = { enabled: false } as ConstructorParameters<typeof I18nContext>[2];

/** Runs work that uses `translate` outside of a request, in English. */
export function runInEnglish<T>(i18n: I18nService, work: () => Promise<T>): Promise<T> {
  return I18nContext.createAsync(new I18nContext('en', i18n, NO_ICU), work);
}
