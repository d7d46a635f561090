import type { KeyScope } from '../../platform/http/access/key-scope';
import { apiEnum } from '../../platform/openapi/api-enum';

export const KEY_SCOPE = apiEnum<KeyScope>('ApiKeyScope', 'What an API key may be used for; none contains another.', {
  read: 'reading: every GET, without changing anything',
  write:
    'what a backend does for its customers: identities, UI tokens, connections, fetches, acknowledgements, redeliveries',
  admin: 'settings: webhooks, API keys, sessions of the console',
});
