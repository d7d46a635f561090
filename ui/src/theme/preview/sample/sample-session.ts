import type { UiSession, UiTheme } from '@docfetch/sdk';
import type { Lang } from '../../../messages/date-format';

const DAY_MS = 86_400_000;

/** The session of a user who may do everything. */
export function sampleSession(theme: UiTheme, lang: Lang): UiSession {
  const now = new Date().toISOString();
  return {
    identity: {
      identity_uuid: '00000000-0000-7000-8000-000000000000',
      client_identifier: 'preview',
      display_name: lang === 'de' ? 'Muster GmbH' : 'Example Ltd',
      type: 'COMPANY',
      metadata: {},
      connections: { total: 4, active: 3, needs_attention: 1 },
      created_at: now,
      updated_at: now,
    },
    preselection: { connection_uuid: null, integration_id: null },
    allowed_actions: ['CREATE', 'UPDATE', 'DELETE', 'DISABLE', 'ENABLE', 'FETCH_NOW'],
    theme,
    lang,
    expires_at: new Date(Date.now() + DAY_MS).toISOString(),
    has_return_url: true,
    client_origin: null,
    show_unavailable: false,
    reload_reference: null,
  };
}
