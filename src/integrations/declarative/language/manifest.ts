import type { Category, Maturity } from '../../core/integration';
import type { Localized } from '../../core/field';
import type { StreamManifest } from './stream-manifest';

/**
 * The form of a provider's file. `provider.schema.json` is the same for editors and for the check at the start;
 * docs/integrate/provider-language.md explains each member. An expression reads values of an answer (`expressions/parse.ts`); a template is
 * a text with expressions in braces (`template.ts`).
 */
export type Expression = string;
export type Template = string | number | boolean;
/** A number and a unit: `90s`, `10m`, `1h`, `7d`. */
export type Duration = string;
/** JSON whose texts are templates. */
export type JsonTemplate = Template | null | readonly JsonTemplate[] | { readonly [key: string]: JsonTemplate };

export interface ProviderManifest {
  readonly docfetch: 1;
  readonly id: string;
  readonly name: string | Localized;
  readonly category: Category;
  /** `STABLE` only after a live recording. Default `BETA`. */
  readonly maturity?: Maturity;
  /** The brand's name in simple-icons, where it is not the id without underscores. */
  readonly logo?: string;
  /** Other words that users may search for, in lower case. */
  readonly aliases?: readonly string[];
  /** The page of the provider where users find their credentials. */
  readonly help_url?: string | Localized;
  /** The host may begin with a field: `https://{$site}.example.com`. */
  readonly base: string;
  /** Where documents may be downloaded from besides `base`: hosts, or `any`. Credentials are never sent there. */
  readonly hosts?: 'any' | readonly string[];
  /** The time zone of dates without one, or `user`: a field of the first step. Default UTC. */
  readonly zone?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits: LimitsManifest;
  /** `documentation` when the API's description, with which tests compare, was written from its documentation. */
  readonly described_by?: 'documentation';
  readonly auth: AuthManifest;
  readonly account: AccountManifest;
  readonly errors?: ErrorsManifest;
  readonly choose?: Readonly<Record<string, ChoiceManifest>>;
  readonly streams: Readonly<Record<string, StreamManifest>>;
  /** Questions that the provider's documentation leaves open: in English, or in each language. */
  readonly unknown?: readonly (string | Localized)[];
}

export interface LimitsManifest {
  readonly per_second?: number;
  readonly per_minute?: number;
  /** Per second and host, over all accounts: for providers that count by address. */
  readonly per_second_per_host?: number;
  /** Downloads at the same time. */
  readonly concurrency: number;
}

export type AuthManifest = (
  | {
      readonly type: 'api_key';
      readonly headers?: Readonly<Record<string, Template>>;
      readonly query?: Readonly<Record<string, Template>>;
    }
  | { readonly type: 'basic'; readonly user: Template; readonly password: Template }
  | {
      readonly type: 'signed';
      /** The code that signs each request (`signatures/`). Only files of the build can name one. */
      readonly signature: SignatureName;
      /** What it needs, such as keys. */
      readonly with: Readonly<Record<string, Template>>;
    }
  | {
      readonly type: 'oauth2';
      readonly issuer?: string;
      readonly authorize: string;
      readonly token: string;
      readonly revoke?: string;
      readonly client_auth: 'post' | 'basic';
      readonly scopes: readonly string[];
      /** Further scopes, by the kind of documents that needs them. */
      readonly scopes_of?: Readonly<Record<string, readonly string[]>>;
      readonly never_granted?: readonly string[];
      readonly parameters?: Readonly<Record<string, string>>;
    }
) & { readonly fields?: Readonly<Record<string, FieldManifest>> };

export type SignatureName = 'aws_v4' | 'edgegrid' | 'ovh';

export interface FieldManifest {
  readonly label: Localized;
  readonly help?: Localized;
  readonly placeholder?: string | Localized;
  readonly secret?: boolean;
  readonly optional?: boolean;
  readonly format?: {
    /** One of these beginnings. */
    readonly starts?: readonly string[];
    readonly characters: 'hexadecimal' | 'digits' | 'alphanumeric' | 'subdomain' | 'base64' | 'visible';
    /** The number of characters after the beginning. */
    readonly min?: number;
    readonly max?: number;
  };
}

export interface RequestManifest {
  readonly get?: string;
  /** With `safe: true`, a reviewed statement that the call changes nothing. */
  readonly post?: string;
  readonly safe?: true;
  /** A list or an object is sent as JSON. */
  readonly query?: Readonly<Record<string, JsonTemplate>>;
  readonly headers?: Readonly<Record<string, Template>>;
  readonly body?: JsonTemplate;
}

export interface AccountManifest extends Omit<RequestManifest, 'get'> {
  /** Asked in order, until one of them yields the id. */
  readonly get?: string | readonly string[];
  /** Without permission for the call, the id comes from `$records`. */
  readonly optional?: boolean;
  /** The check reads this number of records of every selected stream, so that missing permissions show. */
  readonly readable?: number;
  readonly id: Expression;
  readonly display?: Expression;
  /** Keys with this beginning belong to an account of their own, such as test data. */
  readonly mode?: { readonly field: string; readonly starts: string; readonly name: string };
}

export const MEANINGS = [
  'credentials',
  'consent',
  'permission',
  'user_action',
  'rate_limited',
  'transient',
  'not_ready',
  'unavailable',
  'gone',
  'refused',
  'cursor_invalid',
  'unexpected',
] as const;
export type Meaning = (typeof MEANINGS)[number];

export interface ErrorRule {
  readonly status: number | readonly number[];
  /** A condition on the body. */
  readonly when?: string;
  /** Only for requests of one document. */
  readonly of?: 'document';
  readonly is: Meaning;
  /** For `rate_limited`: the pause when the answer names none. */
  readonly wait?: Duration;
  /** For `rate_limited`: where the answer names the pause, in seconds, as a moment or as a date, besides `Retry-After`. */
  readonly wait_header?: string;
  readonly wait_at?: Expression;
  /** For `rate_limited`: the limit is that of all accounts. */
  readonly scope?: 'provider';
}

export interface ErrorsManifest {
  /** The provider's error code, for the log. */
  readonly code?: Expression;
  readonly rules?: readonly ErrorRule[];
}

export interface ChoiceManifest extends RequestManifest {
  readonly label: Localized;
  readonly help?: Localized;
  readonly multiple?: boolean;
  readonly items: Expression;
  readonly value: Expression;
  readonly text: Expression;
  /** Options below an option, loaded when it is opened; `$parent` is its value. */
  readonly children?: RequestManifest & {
    readonly items: Expression;
    readonly value: Expression;
    readonly text: Expression;
  };
}
