import type { Session } from '../../core/integration';
import type { AccountInfo } from '../../core/source-document';
import { PermissionMissing, UnexpectedResponse } from '../../core/source-errors';
import { chosenKinds } from '../../shared/accounting/kinds';
import type { CompiledProvider } from '../compile/provider';
import { textOf } from '../language/expressions/evaluate';
import { PageReader } from './paging/pages';
import { ProviderClient } from './provider-client';

/**
 * The account of the credentials, after checking that they may read the selected streams.
 * @throws InvalidCredentials, AuthorizationRevoked, PermissionMissing, UnexpectedResponse when no answer identifies the account, and
 * what `ProviderClient.ask` throws
 */
export async function checkAccount(provider: CompiledProvider, session: Session): Promise<AccountInfo> {
  const client = new ProviderClient(provider, session);
  const { account } = provider;
  const records = await readableRecords(client);
  let isRefused = false;
  for (const request of account.requests) {
    const body = await client.ask(request, client.scope(null)).then(
      (answer) => answer.body,
      (error: unknown) => {
        if (!account.optional || !(error instanceof PermissionMissing)) throw error;
        isRefused = true;
        return {};
      },
    );
    const scope = client.scope(body, { records });
    const id = account.id(scope);
    if (typeof id !== 'string' && typeof id !== 'number') continue;
    const display = account.display?.({ ...scope, variables: { ...scope.variables, id } }) ?? id;
    return inMode(provider, session, textOf(id), textOf(display));
  }
  if (isRefused) throw new PermissionMissing(`${provider.label} does not permit the key to read its account.`);
  throw new UnexpectedResponse(`${provider.label} does not identify the account.`);
}

/** The first records of every selected stream. */
async function readableRecords(client: ProviderClient): Promise<readonly unknown[]> {
  const { account, kinds, streams } = client.provider;
  if (account.readable === undefined) return [];
  const chosen = chosenKinds(client.session.step2, kinds);
  const records: unknown[] = [];
  for (const stream of streams) {
    if (!stream.kinds.some((kind) => chosen.includes(kind))) continue;
    const reader = new PageReader(client, stream.list.of ?? stream);
    records.push(...(await reader.read({ size: account.readable })).records);
  }
  return records;
}

function inMode(
  { account: { mode } }: CompiledProvider,
  { fields }: Session,
  id: string,
  display: string,
): AccountInfo {
  if (!mode || !textOf(fields[mode.field]).startsWith(mode.starts)) return { id, display };
  return { id: `${id}:${mode.name}`, display: `${display} (${mode.name})` };
}
