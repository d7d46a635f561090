import type { Localized } from '../../platform/i18n/lang';

const CREATED_THERE = { en: 'Copy it and enter it here.', de: 'Kopieren Sie es und geben Sie es hier ein.' };

const GMX_AND_WEB_DE = [
  {
    en: 'Sign in to your mailbox in the browser and open the settings for POP3 and IMAP.',
    de: 'Melden Sie sich im Browser in Ihrem Postfach an und öffnen Sie die Einstellungen für POP3 und IMAP.',
  },
  {
    en: 'Allow access by POP3 and IMAP, and save.',
    de: 'Erlauben Sie den Zugriff über POP3 und IMAP und speichern Sie.',
  },
  {
    en: 'Enter your password here. With two-factor authentication, create an app password there and enter that.',
    de: 'Geben Sie hier Ihr Passwort ein. Mit Zwei-Faktor-Authentifizierung erstellen Sie dort ein App-Passwort und geben dieses ein.',
  },
];

/**
 * What users do at the provider before they can connect, by preset: where they have to create a password for this purpose, or to
 * allow access. The preset has the page where they do it (`helpUrl`).
 */
export const IMAP_HELP_STEPS: Readonly<Record<string, readonly Localized[]>> = {
  gmx: GMX_AND_WEB_DE,
  web_de: GMX_AND_WEB_DE,
  t_online: [
    {
      en: 'Sign in at Telekom and open the settings of your Telekom login.',
      de: 'Melden Sie sich bei der Telekom an und öffnen Sie die Einstellungen Ihres Telekom Logins.',
    },
    { en: 'Set a password for e-mail programs there.', de: 'Legen Sie dort ein Passwort für E-Mail-Programme fest.' },
    { en: 'Enter this password here.', de: 'Geben Sie dieses Passwort hier ein.' },
  ],
  yahoo: [
    {
      en: 'Sign in to your Yahoo account and open Account security.',
      de: 'Melden Sie sich in Ihrem Yahoo-Konto an und öffnen Sie „Kontosicherheit“.',
    },
    { en: 'Create an app password there.', de: 'Erstellen Sie dort ein App-Passwort.' },
    CREATED_THERE,
  ],
  icloud: [
    {
      en: 'Sign in at account.apple.com and open Sign-In and Security.',
      de: 'Melden Sie sich unter account.apple.com an und öffnen Sie „Anmeldung und Sicherheit“.',
    },
    { en: 'Create an app-specific password there.', de: 'Erstellen Sie dort ein app-spezifisches Passwort.' },
    CREATED_THERE,
  ],
  gmail_app_password: [
    {
      en: 'Turn on two-step verification in your Google Account, if it is not on yet.',
      de: 'Schalten Sie in Ihrem Google-Konto die Bestätigung in zwei Schritten ein, falls sie noch nicht eingeschaltet ist.',
    },
    {
      en: 'Create an app password at myaccount.google.com/apppasswords.',
      de: 'Erstellen Sie unter myaccount.google.com/apppasswords ein App-Passwort.',
    },
    CREATED_THERE,
  ],
  zoho_mail: [
    {
      en: 'Open the settings of Zoho Mail and select your address under Mail accounts.',
      de: 'Öffnen Sie die Einstellungen von Zoho Mail und wählen Sie unter „E-Mail-Konten“ Ihre Adresse.',
    },
    { en: 'Allow access by IMAP.', de: 'Erlauben Sie den Zugriff über IMAP.' },
    {
      en: 'Enter your password here. With two-factor authentication, create an app-specific password in your Zoho account and enter that.',
      de: 'Geben Sie hier Ihr Passwort ein. Mit Zwei-Faktor-Authentifizierung erstellen Sie in Ihrem Zoho-Konto ein anwendungsspezifisches Passwort und geben dieses ein.',
    },
  ],
};
