import { setup } from './de/setup';
import { sources } from './de/sources';
import { errors } from './de/errors';
import type { Messages } from './en';

/** All texts of the hosted UI in German, with the formal „Sie“. */
export const de: Messages = {
  otherLanguage: 'English',
  languageSwitch: 'Show this page in English',
  loading: 'Wird geladen …',
  back: 'Zurück',
  cancel: 'Abbrechen',
  retry: 'Erneut versuchen',
  optional: 'optional',
  leave: {
    to: (name) => `Zurück zu ${name}`,
    plain: 'Zurück zur Anwendung',
    finishTo: (name) => `Weiter zu ${name}`,
    finishPlain: 'Weiter',
  },
  when: {
    today: (time) => `heute um ${time}\u00a0Uhr`,
    tomorrow: (time) => `morgen um ${time}\u00a0Uhr`,
    yesterday: (time) => `gestern um ${time}\u00a0Uhr`,
    day: (day, time) => `${day}, ${time}\u00a0Uhr`,
    now: 'jeden Moment',
  },
  ...sources,
  ...setup,
  ...errors,
};
