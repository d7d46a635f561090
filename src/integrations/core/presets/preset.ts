import type { Localized } from '../../../platform/i18n/lang';
import { isServerField } from '../server-trust';
import type { FieldSpec } from '../field';
import type { Integration, Session } from '../integration';
import type { MailProvider } from './mail-provider';
import type { OAuthSpec } from '../oauth-spec';
import type { FieldInput } from '../validate-fields';

/** What a preset says differently about a field of its connector; undefined removes it. */
type Changeable = 'type' | 'label' | 'help' | 'placeholder' | 'required' | 'pattern' | 'options' | 'default';
type FieldChange = { readonly [Member in Changeable]?: FieldSpec[Member] | undefined };

/** A brand on a protocol: an integration of its own that asks for less (decisions 9). An entry in the list of its connector. */
export interface Preset {
  /** Lower-case and permanent: clients store it. */
  readonly id: string;
  readonly name: string | Localized;
  /** Other words by which users search it. */
  readonly aliases: readonly string[];
  /** For mailboxes: how their addresses are recognized. */
  readonly mail?: MailProvider;
  /** The provider's own page about the access. */
  readonly helpUrl?: string | Localized;
  /** Its name in simple-icons, where it is not the id. */
  readonly logo?: string;
  /**
   * What the connector gets without asking the user, by field; null for nothing. `{region}` stands for the value of another field,
   * whose pattern must not permit characters that have a meaning in an address.
   */
  readonly fixed: Readonly<Record<string, string | number | null>>;
  /** Fields of this brand, asked before those of the connector. */
  readonly asks?: readonly FieldSpec[];
  /** Other words for fields of the connector. */
  readonly changes?: Readonly<Record<string, FieldChange>>;
  /** Whether its users authorize the service instead of entering a password: `PresetDetails.oauth` says how. */
  readonly oauth?: true;
}

/** What a list of presets does not contain itself, by the id of the preset. */
interface PresetDetails {
  /** What users do at the provider before they can connect. */
  readonly helpSteps?: Readonly<Record<string, readonly Localized[]>>;
  readonly oauth?: Readonly<Record<string, OAuthSpec>>;
}

/** The integrations of a connector's presets. Each behaves like the connector with the fixed values filled in. */
export const withPresets = (
  connector: Integration,
  presets: readonly Preset[],
  { helpSteps = {}, oauth = {} }: PresetDetails = {},
): readonly Integration[] => [
  connector,
  ...presets.map((preset) => presetIntegration(connector, preset, helpSteps[preset.id], oauth[preset.id])),
];

function presetIntegration(
  connector: Integration,
  preset: Preset,
  helpSteps: readonly Localized[] | undefined,
  oauth: OAuthSpec | undefined,
): Integration {
  const complete = (fields: FieldInput): FieldInput => ({ ...fields, ...fixedValues(preset, fields) });
  const completed = <S extends Session>(session: S): S => ({ ...session, fields: complete(session.fields) });
  const { typedServer, ...rest } = connector;
  const step1 = fieldsOf(connector, preset);
  return {
    ...rest,
    id: preset.id,
    name: inBothLanguages(preset.name),
    presetOf: connector.id,
    ...(isConstant(preset.fixed) && { presetFields: preset.fixed }),
    aliases: preset.aliases,
    // The protocol is tested with real servers, the brand's own server is not.
    maturity: 'BETA',
    ...(preset.helpUrl !== undefined && { helpUrl: inBothLanguages(preset.helpUrl) }),
    ...(helpSteps !== undefined && { helpSteps }),
    ...(preset.logo !== undefined && { logo: preset.logo }),
    ...(preset.mail !== undefined && { mail: preset.mail }),
    ...(oauth !== undefined && { authType: 'OAUTH2', oauth }),
    step1,
    // A server that the preset names must prove its identity in the usual way: no fingerprint is accepted for it.
    ...(typedServer &&
      step1.some(isServerField) && {
        typedServer: { ...typedServer, address: (fields) => typedServer.address(complete(fields)) },
      }),
    check: (session) => connector.check(completed(session)),
    ...(connector.step2 && { step2: (session) => connector.step2!(completed(session)) }),
    ...(connector.options && {
      options: (session, field, parent) => connector.options!(completed(session), field, parent),
    }),
    ...(connector.resolve && {
      resolve: (session, field, values) => connector.resolve!(completed(session), field, values),
    }),
    list: (session, cursor, startdate) => connector.list(completed(session), cursor, startdate),
    download: (session, ref) => connector.download(completed(session), ref),
  };
}

const inBothLanguages = (text: string | Localized): Localized =>
  typeof text === 'string' ? { en: text, de: text } : text;

function fieldsOf({ step1 }: Integration, { fixed, asks = [], changes = {} }: Preset): readonly FieldSpec[] {
  const own = step1.filter(({ id }) => !(id in fixed));
  return [...asks, ...own.map((field) => changed(field, changes[field.id]))];
}

function changed(field: FieldSpec, change: FieldChange = {}): FieldSpec {
  const merged = Object.entries({ ...field, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(merged) as unknown as FieldSpec;
}

/** Whether the values are complete, and the same for every user. */
const isConstant = (fixed: Preset['fixed']): fixed is Readonly<Record<string, string | number>> =>
  Object.values(fixed).every((value) => value !== null && !/\{\w+\}/.test(String(value)));

function fixedValues({ fixed }: Preset, fields: FieldInput): FieldInput {
  const fill = (value: string) => value.replace(/\{(\w+)\}/g, (_, id: string) => String(fields[id]));
  return Object.fromEntries(
    Object.entries(fixed)
      .filter(([, value]) => value !== null)
      .map(([id, value]) => [id, typeof value === 'string' ? fill(value) : value]),
  );
}
