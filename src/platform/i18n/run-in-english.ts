import { I18nContext, type I18nService } from 'nestjs-i18n';

/** ICU messages, of which `i18n/` has none; the class itself is not exported. */
const NO_ICU = { enabled: false } as ConstructorParameters<typeof I18nContext>[2];

/** Does what says sentences (`say`) outside of a request, where nobody has chosen a language. */
export function runInEnglish<T>(i18n: I18nService, work: () => Promise<T>): Promise<T> {
  return I18nContext.createAsync(new I18nContext('en', i18n, NO_ICU), work);
}
