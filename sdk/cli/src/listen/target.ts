import { CommandError } from '../failure';
import type { Messages } from '../messages/en';

export const AUTHS = ['none', 'bearer', 'query', 'header'] as const;
export type Auth = (typeof AUTHS)[number];

/** Where messages go, with the credential that the endpoint expects. */
export interface Target {
  /** Never printed: its query may contain the credential. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For output: without query, user and password. */
  readonly name: string;
  /** Replaces the credential in an answer that repeats it. */
  redact(text: string): string;
}

/** @throws CommandError when it is no address, or the credential is missing */
export function targetOf(address: string, auth: Auth, secret: string | undefined, messages: Messages): Target {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new CommandError(messages.notAnEndpoint, 'INVALID_URL');
  if (auth !== 'none' && !secret) throw new CommandError(messages.endpointTokenMissing, 'ENDPOINT_TOKEN_MISSING');
  const name = `${url.origin}${url.pathname}`;
  const headers: Record<string, string> = {};
  if (auth === 'query') url.searchParams.set('token', secret!);
  if (auth === 'bearer') headers.authorization = `Bearer ${secret}`;
  if (auth === 'header') headers.authorization = secret!;
  const secrets = [secret, url.searchParams.get('token')].filter((each): each is string => !!each);
  const forms = secrets.flatMap((each) => [each, encodeURIComponent(each)]);
  const redact = (text: string) => forms.reduce((rest, form) => rest.replaceAll(form, '***'), text);
  return { url: url.href, headers, name, redact };
}
