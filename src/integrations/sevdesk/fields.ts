import type { FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';

export const STEP1 = [
  {
    id: 'api_token',
    type: 'password',
    label: { en: 'API token', de: 'API-Token' },
    help: {
      en: 'Every administrator has one: in sevdesk under Settings, Users. It is valid as long as that user exists.',
      de: 'Jeder Administrator hat eines: in sevdesk unter Einstellungen, Benutzer. Es gilt, solange es diesen Benutzer gibt.',
    },
    placeholder: { en: '32 letters and digits', de: '32 Buchstaben und Ziffern' },
    required: true,
    secret: true,
    pattern: '[0-9a-fA-F]{32}',
    max: 32,
  },
] as const satisfies readonly FieldSpec[];

export type SevdeskSession = Session<FieldValues<typeof STEP1>>;
