import type { FieldSpec } from '../core/field';
import { CONTENT_FIELDS } from '../shared/mail/parts/kinds/mail-filters';

/** Comma-separated addresses and domains: `billing@example.com, example.org`. */
const LIST = '\\s*[^\\s,@]*@?[^\\s,@]+\\.[^\\s,@]+\\s*(,\\s*[^\\s,@]*@?[^\\s,@]+\\.[^\\s,@]+\\s*)*,?\\s*';
const MAX_LIST = 2_000;

export const STEP1 = [
  {
    id: 'allowed_senders',
    type: 'text',
    label: { en: 'Accept e-mails only from', de: 'E-Mails nur annehmen von' },
    help: {
      en: 'Addresses or domains, separated by commas. E-mails from others are returned to their senders. Leave empty to accept all senders.',
      de: 'Adressen oder Domains, durch Kommas getrennt. E-Mails von anderen gehen an die Absender zurück. Leer lassen, um alle Absender zuzulassen.',
    },
    placeholder: { en: 'billing@example.com', de: 'rechnung@example.com' },
    required: false,
    pattern: LIST,
    max: MAX_LIST,
  },
  {
    id: 'forwarding_mailboxes',
    type: 'text',
    label: { en: 'Mailboxes that forward to this address', de: 'Postfächer, die an diese Adresse weiterleiten' },
    help: {
      en: 'Addresses or domains, separated by commas. What they forward is accepted from all senders, even if it was changed on the way and its sender can no longer be verified.',
      de: 'Adressen oder Domains, durch Kommas getrennt. Was sie weiterleiten, wird von allen Absendern angenommen, auch wenn es unterwegs verändert wurde und der Absender nicht mehr überprüft werden kann.',
    },
    placeholder: { en: 'office@example.com', de: 'buero@example.com' },
    required: false,
    pattern: LIST,
    max: MAX_LIST,
  },
  // Which senders are accepted is said above: what is not accepted is returned, instead of being left out.
  ...CONTENT_FIELDS,
] as const satisfies readonly FieldSpec[];
