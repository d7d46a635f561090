import type { AccountInfo } from '../core/source-document';
import { PermissionMissing } from '../core/source-errors';
import { chosenKinds } from '../shared/accounting/kinds';
import type { StripeSession } from './fields';
import { pdfOf, StripeApi, type StripeDocument } from './stripe-api';

/**
 * The account of a key, after checking that the key may read the selected kinds. A key without access to the account is identified
 * by the addresses of PDFs. Test data counts as a separate account.
 */
export async function accountOf(session: StripeSession): Promise<AccountInfo> {
  const api = new StripeApi(session);
  const newest: StripeDocument[] = [];
  for (const kind of chosenKinds(session.step2)) newest.push(...(await api.list(kind, { limit: 10 })).data);
  const account = await api.account();
  const id = account?.id ?? newest.map(fromAddress).find((found) => found !== undefined);
  if (id === undefined) throw new PermissionMissing('Stripe does not permit the key to read its account.');
  const name = account?.business_profile?.name ?? account?.settings?.dashboard?.display_name ?? account?.email ?? id;
  const isTest = session.fields.api_key.startsWith('rk_test_');
  return isTest ? { id: `${id}:test`, display: `${name} (test)` } : { id, display: name };
}

const fromAddress = (document: StripeDocument): string | undefined => /\/(acct_\w+)\//.exec(pdfOf(document) ?? '')?.[1];
