import type { FieldSpec, Localized } from '../../core/field';
import type { OAuthSpec } from '../../core/oauth-spec';
import { type Evaluate, textOf } from '../language/expressions/evaluate';
import { Names } from '../language/expressions/names';
import type { AccountManifest, ProviderManifest } from '../language/manifest';
import { type Choice, compileChoices } from './choices';
import { type CompiledRequest, type Compiler, isRequest } from './compiler';
import { type Classify, compileErrors } from './errors';
import { step1Fields } from './fields';
import { KINDS } from '../../shared/accounting/kinds';
import { compileOAuth } from './oauth';
import { type CompiledSignature, compileSignature } from './signature';
import { type CompiledStream, compileStream } from './streams';

/** Everything that the runtime needs of a provider. */
export interface CompiledProvider {
  readonly id: string;
  readonly name: Localized;
  /** The name in messages. */
  readonly label: string;
  /** As the manifest has it, perhaps with a field, and with its value. */
  readonly base: string;
  readonly address: Evaluate;
  readonly hosts: 'any' | readonly string[];
  /** The time zone, or null when the user chooses it. */
  readonly zone: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The credentials of a request; null with OAuth. */
  readonly credentials: {
    readonly headers: Templates;
    readonly query: Templates;
    readonly signature?: CompiledSignature;
  } | null;
  readonly oauth: OAuthSpec | undefined;
  readonly account: CompiledAccount;
  readonly classify: Classify;
  readonly choices: readonly Choice[];
  readonly streams: readonly CompiledStream[];
  /** The kinds of documents of all streams, in the order of the form. */
  readonly kinds: readonly string[];
  readonly step1: readonly FieldSpec[];
  /** The fields that are no secrets. */
  readonly openFields: readonly string[];
}

type Templates = readonly (readonly [string, Evaluate])[];

export interface CompiledAccount extends Pick<AccountManifest, 'optional' | 'readable' | 'mode'> {
  readonly requests: readonly CompiledRequest[];
  readonly id: Evaluate;
  readonly display: Evaluate | undefined;
}

/** Compiles a manifest; what is wrong is in the compiler's errors. */
export function compileProvider(manifest: ProviderManifest, compiler: Compiler): CompiledProvider {
  const { auth, choose = {} } = manifest;
  const name = localizedOf(manifest.name);
  const fields = Object.entries(auth.fields ?? {});
  const openFields = fields.filter(([, { secret }]) => !secret).map(([id]) => id);
  const choices = Object.keys(choose);
  const names = Names.of(...openFields, ...choices);
  checkZone(manifest, compiler);
  const streams = Object.entries(manifest.streams).map(([stream, given]) =>
    compileStream(compiler, stream, given, { names, choices, category: manifest.category }),
  );
  checkKeys(manifest, compiler);
  for (const [at, { kinds }] of streams.entries()) {
    const unknown = kinds.find((kind) => !KINDS.includes(kind));
    const place = ['streams', Object.keys(manifest.streams)[at]!];
    if (unknown !== undefined) compiler.manifestErrors.add(place, `needs kind, because users cannot select ${unknown}`);
  }
  return {
    id: manifest.id,
    name,
    label: name.en,
    base: manifest.base,
    address: compileBase(manifest, compiler, openFields),
    hosts: manifest.hosts ?? [],
    zone: manifest.zone === 'user' ? null : (manifest.zone ?? 'UTC'),
    headers: manifest.headers ?? {},
    credentials: compileCredentials(manifest, compiler),
    oauth: auth.type === 'oauth2' ? compileOAuth(auth) : undefined,
    account: compileAccount(manifest, compiler, names),
    classify: compileErrors(compiler, name.en, manifest.errors),
    choices: compileChoices(compiler, choose, names),
    streams,
    kinds: KINDS.filter((kind) => streams.some(({ kinds }) => kinds.includes(kind))),
    step1: step1Fields(manifest, name.en),
    openFields,
  };
}

/** A text that is the same in each language, or one for each. */
export const localizedOf = (given: string | Localized): Localized =>
  typeof given === 'string' ? { en: given, de: given } : given;

/** Ids are unique within one stream. A second stream that did not state its key would replace documents of the first one. */
function checkKeys({ streams }: ProviderManifest, { manifestErrors }: Compiler): void {
  const [first, ...others] = Object.keys(streams).filter((name) => streams[name]!.key === undefined);
  for (const name of others)
    manifestErrors.add(
      ['streams', name],
      `needs key, because ${first} has none either: '${name}/{$id}', or '{$id}' if all ids differ`,
    );
}

/** Its host may begin with a field, which must not be able to name another host. */
function compileBase({ base, auth }: ProviderManifest, compiler: Compiler, openFields: readonly string[]): Evaluate {
  const [, id] = /^https:\/\/\{\$(\w+)\}/.exec(base) ?? [];
  const { format, optional } = (id !== undefined && auth.fields?.[id]) || {};
  const isSafe = format && !format.starts && !['base64', 'visible'].includes(format.characters);
  if (id !== undefined && openFields.includes(id) && (!isSafe || optional))
    compiler.manifestErrors.add(['base'], `$${id} has to be required, with a format of letters, digits and hyphens`);
  return compiler.template(['base'], base, Names.of(...openFields));
}

function checkZone({ zone }: ProviderManifest, { manifestErrors }: Compiler): void {
  if (zone === undefined || zone === 'user') return;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    manifestErrors.add(['zone'], `there is no time zone ${zone}`);
  }
}

/** The only place whose templates may name secret fields. */
function compileCredentials({ auth }: ProviderManifest, compiler: Compiler): CompiledProvider['credentials'] {
  const names = Names.of(...Object.keys(auth.fields ?? {}));
  if (auth.type === 'oauth2') return null;
  if (auth.type === 'signed') return { headers: [], query: [], signature: compileSignature(compiler, auth, names) };
  if (auth.type === 'api_key') {
    if (auth.headers === undefined && auth.query === undefined)
      compiler.manifestErrors.add(['auth'], 'needs headers or query');
    return {
      headers: compiler.templates(['auth', 'headers'], auth.headers, names),
      query: compiler.templates(['auth', 'query'], auth.query, names),
    };
  }
  const user = compiler.template(['auth', 'user'], auth.user, names);
  const password = compiler.template(['auth', 'password'], auth.password, names);
  const basic: Evaluate = (scope) =>
    `Basic ${Buffer.from(`${textOf(user(scope) ?? '')}:${textOf(password(scope) ?? '')}`).toString('base64')}`;
  return { headers: [['authorization', basic]], query: [] };
}

function compileAccount({ account, auth }: ProviderManifest, compiler: Compiler, names: Names): CompiledAccount {
  const { get, mode, id, display, optional, readable, ...request } = account;
  const paths = [get ?? []].flat();
  const own = names.with('records');
  if (mode !== undefined && !Object.hasOwn(auth.fields ?? {}, mode.field))
    compiler.manifestErrors.add(['account', 'mode', 'field'], 'there is no such field');
  const requests = isRequest({ post: request.post })
    ? [compiler.request(['account'], request, names)]
    : paths.map((path) => compiler.request(['account'], { ...request, get: path }, names));
  if (requests.length === 0) compiler.manifestErrors.add(['account'], 'needs get or post');
  return {
    optional,
    readable,
    mode,
    requests,
    id: compiler.expression(['account', 'id'], id, own),
    display: compiler.optional(['account', 'display'], display, own.with('id')),
  };
}
