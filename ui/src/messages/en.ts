import { setup } from './en/setup';
import { sources } from './en/sources';
import { errors } from './en/errors';

/** All texts of the hosted UI in English. `de.ts` has the same in German. Texts of the service come from its responses. */
export const en = {
  otherLanguage: 'Deutsch',
  languageSwitch: 'Diese Seite auf Deutsch anzeigen',
  loading: 'Loading …',
  back: 'Back',
  cancel: 'Cancel',
  retry: 'Try again',
  optional: 'optional',
  leave: {
    to: (name: string) => `Back to ${name}`,
    plain: 'Back to the application',
    finishTo: (name: string) => `Continue to ${name}`,
    finishPlain: 'Continue',
  },
  when: {
    today: (time: string) => `today at ${time}`,
    tomorrow: (time: string) => `tomorrow at ${time}`,
    yesterday: (time: string) => `yesterday at ${time}`,
    day: (day: string, time: string) => `${day}, ${time}`,
    now: 'any moment now',
  },
  ...sources,
  ...setup,
  ...errors,
};

export type Messages = typeof en;
