import { Injectable } from '@nestjs/common';
import { domainToASCII } from 'node:url';
import type { Caller } from '../platform/http/access/access.decorator';
import { assertWithinTokenScope, isWithinTokenScope } from '../platform/http/access/token-scope';
import type { Integration } from './core/integration';
import { isWithinDomain } from './core/presets/mail-provider';
import type { FieldInput } from './core/validate-fields';
import { IntegrationRegistry } from './integration-registry';
import type { MailAccountSource, MailAccountView } from './mail-account.view';
import type { NamedMailServer } from './shared/mail-discovery/autoconfig';
import { MailDomains } from './shared/mail-discovery/mail-domains';

/** The integration of a mailbox with a password on any server. */
const ANY_SERVER = 'imap';

/**
 * Finds out how a mailbox is connected from its address (decisions 5): by the list of known domains, then by what its domain says.
 * Stores nothing; the address itself is sent to nobody.
 */
@Injectable()
export class DiscoverMailAccount {
  constructor(
    private readonly integrations: IntegrationRegistry,
    private readonly domains: MailDomains,
  ) {}

  /** @throws ApiError 403 `NOT_ALLOWED_BY_TOKEN` for a token that may not create connections */
  async discover(caller: Caller, email: string): Promise<MailAccountView> {
    assertWithinTokenScope(caller, { connectionUuid: null });
    const domain = domainToASCII(email.slice(email.lastIndexOf('@') + 1)).toLowerCase();
    const all = this.integrations.list(caller.isTest);
    const listed = all.find(({ mail }) => mail?.domains.includes(domain));
    if (listed) return this.ofProvider(caller, email, listed, 'LIST');

    const providerOf = (host: string) =>
      all.find(({ mail }) => mail?.hosts.some((entry) => isWithinDomain(host, entry)));
    const found = await this.domains.find(domain, (host) => providerOf(host) !== undefined);
    if (found.source === 'NONE') return this.ofAnyServer(caller, 'NONE', { user: email }, false);
    const provider = providerOf(found.source === 'MX' ? found.host : found.server.host);
    if (provider) return this.ofProvider(caller, email, provider, found.source);
    if (found.source === 'MX') return this.ofAnyServer(caller, 'NONE', { user: email }, false);
    const { server } = found;
    return this.ofAnyServer(caller, found.source, fieldsOf(server, email), !isWithinDomain(server.host, domain));
  }

  private ofProvider(caller: Caller, email: string, provider: Integration, source: MailAccountSource): MailAccountView {
    const all = (provider.mail?.integrations ?? [provider.id])
      .map((id) => this.integrations.find(id, caller.isTest))
      .filter((found) => found !== undefined);
    const permitted = all.filter(({ id }) => isWithinTokenScope(caller, { integrationId: id }));
    const chosen = permitted.find((candidate) => this.integrations.isAvailable(candidate)) ?? permitted[0];
    if (!chosen) return this.ofItsServer(caller, email, all, source);
    const takesUser = chosen.step1.some(({ id }) => id === 'user');
    return { integration_id: chosen.id, source, fields: takesUser ? { user: email } : {}, confirm_server: false };
  }

  /** For a token that permits mailboxes on any server only: the server of the provider, if it accepts passwords. */
  private ofItsServer(
    caller: Caller,
    email: string,
    brands: readonly Integration[],
    source: MailAccountSource,
  ): MailAccountView {
    const fields = brands.find(({ presetOf }) => presetOf === ANY_SERVER)?.presetFields;
    return fields ? this.ofAnyServer(caller, source, { ...fields, user: email }, false) : notPermitted(source);
  }

  private ofAnyServer(
    caller: Caller,
    source: MailAccountSource,
    fields: FieldInput,
    isForeign: boolean,
  ): MailAccountView {
    const isPermitted = isWithinTokenScope(caller, { integrationId: ANY_SERVER });
    return isPermitted
      ? { integration_id: ANY_SERVER, source, fields, confirm_server: isForeign }
      : notPermitted(source);
  }
}

/** The token is limited to another integration. */
const notPermitted = (source: MailAccountSource): MailAccountView => ({
  integration_id: null,
  source,
  fields: {},
  confirm_server: false,
});

function fieldsOf({ host, port, security, userName }: NamedMailServer, email: string): FieldInput {
  const user = userName === 'ADDRESS' ? email : email.slice(0, email.lastIndexOf('@'));
  return { host, port, security, user };
}
