import type { FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { TIME_ZONE_FIELD } from '../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [
  {
    id: 'api_key',
    type: 'password',
    label: { en: 'Restricted API key', de: 'Eingeschränkter API-Schlüssel' },
    help: {
      en: 'Create one in the Stripe dashboard under Developers, API keys, with permission to read invoices and credit notes and, if possible, the account. No other permission is needed.',
      de: 'Legen Sie ihn im Stripe-Dashboard unter Entwickler, API-Schlüssel an, mit der Berechtigung, Rechnungen und Gutschriften und möglichst auch das Konto zu lesen. Weitere Berechtigungen sind nicht nötig.',
    },
    placeholder: 'rk_live_…',
    required: true,
    secret: true,
    // Unrestricted keys are rejected.
    pattern: 'rk_(live|test)_[A-Za-z0-9]{10,250}',
    max: 260,
  },
  {
    ...TIME_ZONE_FIELD,
    help: {
      en: 'For the document dates and the start date. Stripe itself stores points in time only.',
      de: 'Für die Daten der Dokumente und das Startdatum. Stripe selbst speichert nur Zeitpunkte.',
    },
  },
] as const satisfies readonly FieldSpec[];

export type StripeSession = Session<FieldValues<typeof STEP1>>;
