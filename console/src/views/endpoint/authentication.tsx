import { Facts } from '../../components/facts';
import { useManagedEnvironment } from '../environment/use-managed-environment';
import { useEndpointMessages } from './messages/use-endpoint-messages';

/** The kind of authentication, and whether a secret is stored; never the secret. */
export function Authentication() {
  const messages = useEndpointMessages();
  const { data } = useManagedEnvironment();
  if (!data || data.strategy !== 'PUSH') return null;
  return (
    <Facts
      rows={[
        [messages.auth, messages.auths[data.auth]],
        data.auth !== 'NONE' && [
          messages.secret,
          data.has_auth_secret ? messages.secretStored : messages.secretMissing,
        ],
      ]}
    />
  );
}
