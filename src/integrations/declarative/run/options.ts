import type { FieldOption, FieldSpec } from '../../core/field';
import type { Session } from '../../core/integration';
import { UnexpectedResponse } from '../../core/source-errors';
import type { Choice, OptionLevel } from '../compile/choices';
import { kindsField } from '../../shared/accounting/kinds';
import type { CompiledProvider } from '../compile/provider';
import { ProviderClient, type Variables } from './provider-client';
import { textOf } from '../language/expressions/evaluate';

/** The fields of the second step: the choices with their first options, and the kinds of documents. */
export async function step2Fields(provider: CompiledProvider, session: Session): Promise<FieldSpec[]> {
  const client = new ProviderClient(provider, session);
  const fields: FieldSpec[] = [];
  for (const choice of provider.choices) {
    fields.push({ ...choice.field, options: await optionsAt(client, choice.first, choice.children !== undefined) });
  }
  return provider.kinds.length > 1 ? [...fields, kindsField(provider.kinds)] : fields;
}

/** The options of a choice; those below `parentId` when it is given. */
export async function optionsOf(
  provider: CompiledProvider,
  session: Session,
  fieldId: string,
  parentId?: string,
): Promise<FieldOption[]> {
  const client = new ProviderClient(provider, session);
  const choice = provider.choices.find(({ id }) => id === fieldId);
  if (!choice) return [];
  if (parentId === undefined) return optionsAt(client, choice.first, choice.children !== undefined);
  return choice.children ? optionsAt(client, choice.children, false, { parent: parentId }) : [];
}

/** The options of these values, null where the provider has none. */
export async function resolveOptions(
  provider: CompiledProvider,
  session: Session,
  fieldId: string,
  values: readonly string[],
): Promise<(FieldOption | null)[]> {
  const choice = provider.choices.find(({ id }) => id === fieldId);
  if (!choice) return values.map(() => null);
  const found = new Map<string, FieldOption>();
  for await (const option of everyOption(new ProviderClient(provider, session), choice)) {
    found.set(option.value, option);
    if (values.every((value) => found.has(value))) break;
  }
  return values.map((value) => found.get(value) ?? null);
}

async function* everyOption(client: ProviderClient, { first, children }: Choice): AsyncGenerator<FieldOption> {
  const options = await optionsAt(client, first, children !== undefined);
  yield* options;
  if (!children) return;
  for (const { value } of options) yield* await optionsAt(client, children, false, { parent: value });
}

async function optionsAt(
  client: ProviderClient,
  { request, items, value, text }: OptionLevel,
  hasChildren: boolean,
  variables: Variables = {},
): Promise<FieldOption[]> {
  const scope = client.scope(null, variables);
  const { body } = await client.ask(request, scope);
  const found = items({ ...scope, record: body });
  if (found === undefined || typeof found !== 'object')
    throw new UnexpectedResponse(`${client.provider.label} answers without a list of options.`);
  // Where the credentials are for one company only, the answer is that company.
  const list: readonly unknown[] = Array.isArray(found) ? found : [found];
  return list.flatMap((record): FieldOption[] => {
    const own = { ...scope, record };
    const id = value(own);
    if (id === undefined) return [];
    return [{ value: textOf(id), label: textOf(text(own) ?? id), ...(hasChildren && { hasChildren }) }];
  });
}
