import type { Localized } from '../../platform/i18n/lang';
import type { FieldSpec } from '../core/field';
import type { Preset } from '../core/presets/preset';

/** All of them use implicit TLS on port 993 (RFC 8314). */
const server = (host: string): Preset['fixed'] => ({ host, port: 993, security: 'TLS' });

/** The user name of these providers is the address. */
const ADDRESS = {
  type: 'email',
  label: { en: 'E-mail address', de: 'E-Mail-Adresse' },
  help: undefined,
} as const satisfies Partial<FieldSpec>;

const APP_PASSWORD = { en: 'App password', de: 'App-Passwort' };

/** Words for the password: its name, and how to get it. */
const password = (help: Localized, label: Localized = { en: 'Password', de: 'Passwort' }): Preset['changes'] => ({
  user: ADDRESS,
  password: { label, help },
});

const NOT_THE_USUAL = {
  en: 'Your usual password does not work here.',
  de: 'Ihr übliches Passwort funktioniert hier nicht.',
};

/** Everything that is special is in the steps of `preset-help-steps.ts`. */
const USUAL_PASSWORD: Preset['changes'] = { user: ADDRESS, password: { help: undefined } };

const MAILBOX_PASSWORD = password({
  en: 'The password of this mailbox, not the one of your customer account.',
  de: 'Das Passwort dieses Postfachs, nicht das Ihres Kundenkontos.',
});

/**
 * Mail providers whose users enter a password.
 * The documentation site reads this file without a build, so it imports only types.
 */
export const IMAP_PRESETS: readonly Preset[] = [
  {
    id: 'gmx',
    name: 'GMX',
    aliases: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
    mail: { domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch', 'gmx.com', 'gmx.eu'], hosts: ['gmx.net'] },
    helpUrl: 'https://hilfe.gmx.net/pop-imap/einschalten.html',
    fixed: server('imap.gmx.net'),
    changes: USUAL_PASSWORD,
  },
  {
    id: 'web_de',
    name: 'WEB.DE',
    aliases: ['webde', 'web de'],
    mail: { domains: ['web.de'], hosts: ['web.de'] },
    helpUrl: 'https://hilfe.web.de/pop-imap/einschalten.html',
    fixed: server('imap.web.de'),
    changes: USUAL_PASSWORD,
  },
  {
    id: 't_online',
    name: 'T-Online',
    aliases: ['telekom', 'tonline', 'magenta'],
    mail: { domains: ['t-online.de', 'magenta.de'], hosts: ['t-online.de'] },
    helpUrl: 'https://www.telekom.de/hilfe/apps-dienste/e-mail/programme/passwort-definition',
    logo: 'deutschetelekom',
    fixed: server('secureimap.t-online.de'),
    changes: password(NOT_THE_USUAL, { en: 'Password for e-mail programs', de: 'Passwort für E-Mail-Programme' }),
  },
  {
    id: 'ionos',
    name: 'IONOS',
    aliases: ['1und1', '1&1'],
    mail: { domains: [], hosts: ['ionos.de', 'kundenserver.de', '1und1.de'] },
    fixed: server('imap.ionos.de'),
    changes: MAILBOX_PASSWORD,
  },
  {
    id: 'strato',
    name: 'STRATO',
    aliases: [],
    mail: { domains: [], hosts: ['strato.de', 'rzone.de'] },
    fixed: server('imap.strato.de'),
    changes: MAILBOX_PASSWORD,
  },
  {
    id: 'mailbox_org',
    name: 'mailbox.org',
    aliases: ['mailboxorg'],
    mail: { domains: ['mailbox.org'], hosts: ['mailbox.org'] },
    fixed: server('imap.mailbox.org'),
    changes: password({
      en: 'With two-factor authentication, create a password for e-mail programs in the settings and enter it here.',
      de: 'Mit Zwei-Faktor-Authentifizierung legen Sie in den Einstellungen ein Passwort für E-Mail-Programme an und geben es hier ein.',
    }),
  },
  {
    id: 'posteo',
    name: 'Posteo',
    aliases: ['posteo.de', 'posteo.net'],
    mail: { domains: ['posteo.de', 'posteo.net', 'posteo.at', 'posteo.ch', 'posteo.eu'], hosts: ['posteo.de'] },
    fixed: server('posteo.de'),
    changes: password({
      en: 'With additional e-mail account protection switched on, allow access by e-mail programs first.',
      de: 'Wenn der zusätzliche Postfachschutz eingeschaltet ist, erlauben Sie zuerst den Zugriff durch E-Mail-Programme.',
    }),
  },
  {
    id: 'freenet',
    name: 'freenet Mail',
    aliases: ['freenet.de'],
    mail: { domains: ['freenet.de'], hosts: ['freenet.de'] },
    fixed: server('mx.freenet.de'),
    changes: MAILBOX_PASSWORD,
  },
  {
    id: 'yahoo',
    name: 'Yahoo Mail',
    aliases: ['ymail', 'rocketmail'],
    mail: {
      domains: ['yahoo.com', 'yahoo.de', 'yahoo.fr', 'yahoo.it', 'yahoo.es', 'ymail.com', 'rocketmail.com'],
      hosts: ['mail.yahoo.com'], // not those that receive mail, which AOL has too
    },
    helpUrl: 'https://help.yahoo.com/kb/SLN15241.html',
    fixed: server('imap.mail.yahoo.com'),
    changes: password(NOT_THE_USUAL, APP_PASSWORD),
  },
  {
    id: 'icloud',
    name: 'iCloud Mail',
    aliases: ['apple', 'me.com', 'mac.com'],
    mail: { domains: ['icloud.com', 'me.com', 'mac.com'], hosts: ['mail.icloud.com', 'mail.me.com'] },
    helpUrl: 'https://support.apple.com/102654',
    fixed: server('imap.mail.me.com'),
    changes: password(NOT_THE_USUAL, { en: 'App-specific password', de: 'App-spezifisches Passwort' }),
  },
  {
    id: 'gmail_app_password',
    name: { en: 'Gmail (app password)', de: 'Gmail (App-Passwort)' },
    aliases: ['google mail', 'googlemail'],
    mail: {
      domains: ['gmail.com', 'googlemail.com'],
      hosts: ['google.com', 'googlemail.com', 'gmail.com'],
      integrations: ['gmail', 'gmail_imap', 'gmail_app_password'],
    },
    helpUrl: 'https://support.google.com/accounts/answer/185833',
    logo: 'gmail',
    fixed: server('imap.gmail.com'),
    changes: password(NOT_THE_USUAL, APP_PASSWORD),
  },
  {
    id: 'zoho_mail',
    name: 'Zoho Mail',
    aliases: ['zoho'],
    mail: { domains: ['zohomail.eu', 'zoho.eu', 'zohomail.com', 'zoho.com'], hosts: ['mx.zoho.eu', 'mx.zoho.com'] },
    helpUrl: 'https://www.zoho.com/mail/help/imap-access.html',
    logo: 'zoho',
    fixed: server('{server}'),
    asks: [
      {
        id: 'server',
        type: 'select',
        label: { en: 'Account', de: 'Konto' },
        help: {
          en: 'Zoho has servers of its own for each region and for addresses with your own domain.',
          de: 'Zoho hat eigene Server für jede Region und für Adressen mit eigener Domain.',
        },
        required: true,
        default: 'imappro.zoho.eu',
        options: [
          { value: 'imappro.zoho.eu', label: { en: 'Europe, own domain', de: 'Europa, eigene Domain' } },
          { value: 'imap.zoho.eu', label: { en: 'Europe, personal', de: 'Europa, privat' } },
          { value: 'imappro.zoho.com', label: { en: 'Worldwide, own domain', de: 'Weltweit, eigene Domain' } },
          { value: 'imap.zoho.com', label: { en: 'Worldwide, personal', de: 'Weltweit, privat' } },
        ],
      },
    ],
    changes: USUAL_PASSWORD,
  },
];
