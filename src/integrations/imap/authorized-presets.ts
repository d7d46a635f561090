import type { FieldSpec } from '../core/field';
import type { Preset } from '../core/presets/preset';

/** Implicit TLS on port 993 (RFC 8314). Users enter no password: these providers do not accept it by IMAP. */
const authorized = (host: string): Preset['fixed'] => ({ host, port: 993, security: 'TLS', password: null });

/** The address of the mailbox, which the provider checks against the account that authorizes the service. */
const MAILBOX = {
  type: 'email',
  label: { en: 'E-mail address', de: 'E-Mail-Adresse' },
  help: undefined,
  pattern: '[^\\s,;=@]+@[^\\s,;=@]+',
  placeholder: { en: 'invoices@example.com', de: 'rechnungen@example.com' },
} as const satisfies Partial<FieldSpec>;

/**
 * Mail providers whose users authorize the service. They have no list of domains: addresses lead to them when the connector by the
 * API of the provider, which names them (`mail.integrations`), is not available. The documentation site reads this file without a
 * build, so it imports only types.
 */
export const AUTHORIZED_IMAP_PRESETS: readonly Preset[] = [
  {
    id: 'gmail_imap',
    name: 'Gmail (IMAP)',
    aliases: ['google mail', 'googlemail', 'google workspace'],
    logo: 'gmail',
    fixed: authorized('imap.gmail.com'),
    changes: { user: MAILBOX },
    oauth: true,
  },
  {
    id: 'outlook_imap',
    name: 'Outlook (IMAP)',
    aliases: ['microsoft 365', 'office 365', 'exchange online', 'hotmail'],
    fixed: authorized('outlook.office365.com'),
    changes: {
      user: {
        ...MAILBOX,
        help: {
          en: 'For a shared mailbox, enter its address here and sign in with your own account.',
          de: 'Für ein freigegebenes Postfach geben Sie hier dessen Adresse ein und melden sich mit Ihrem eigenen Konto an.',
        },
      },
    },
    oauth: true,
  },
];
