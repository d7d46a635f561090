import type { Network } from '../../platform/network/network';
import type { DocumentType } from '../../documents/metadata';
import { STARTDATE_FIELD, type FieldOption, type FieldSpec, type FieldValues, type Localized } from './field';
import type { ServerTrust, TypedServer } from './server-trust';
import type { SandboxPortal } from './sandbox-portal';
import type { OAuthSpec } from './oauth-spec';
import type { AccountInfo, DocumentRef, Json, SourceDocument, SourcePage } from './source-document';

export type Category = 'MAILBOX' | 'CLOUD_STORAGE' | 'ACCOUNTING' | 'PORTAL';
export type AuthType = 'CREDENTIALS' | 'OAUTH2';

/** A connector's view of one connection for the length of one check, one form or one fetch. */
export interface Session<Fields = Readonly<Record<string, unknown>>> {
  /** Validated step-1 input, secrets included. Never log it. */
  readonly fields: Fields;
  /** Stored step-2 input; empty until the second step is done. */
  readonly step2: Readonly<Record<string, unknown>>;
  /** The only way out: every address is checked at connect time. */
  readonly network: Network;
  /** Aborted when the connection is disabled or deleted, when time is up and when the service shuts down. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Which certificate or host key the user accepted for a typed server. Compared on every connection, before a secret is sent. */
  readonly trust: ServerTrust;
  /**
   * Which of these dedupe keys need no second look: what has been recorded, what has been read and found to be the
   * content of another one, and what waits for its second try. For sources that can only be listed as a whole.
   */
  findKnown(dedupeKeys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Where the provider's API is: the integration's `apiBaseUrl`, or what the deployment has set instead. */
  readonly apiBaseUrl: string;
  /**
   * For OAuth: an access token that is good now; the service renews it ahead of its end. `refused` is the one that the provider
   * has just answered 401 to: it is not given out again. Throws `AuthorizationRevoked` when there is no other.
   */
  accessToken(refused?: string): Promise<string>;
  /** For the sandbox: what clients have commanded, and what users have agreed to. Empty for all others. */
  readonly portal: SandboxPortal;
  /** Opens something once per session (a mailbox connection) and closes it when the session ends, however it ends. */
  shared<T>(name: string, open: () => Promise<T>, close: (opened: T) => unknown): Promise<T>;
}

/**
 * THE connector interface. A connector is one folder and one line in `integration-registry.ts`; everything the service knows of it
 * is here. Every method may throw the errors of `source-errors.ts`; anything else counts as `Transient` and alerts.
 */
export interface Integration<Fields = Readonly<Record<string, unknown>>, Cursor extends Json = Json> {
  /** Lower-case, stable for ever: it is in every client's database. */
  readonly id: string;
  readonly name: Localized;
  readonly category: Category;
  readonly authType: AuthType;
  readonly documentTypes: readonly DocumentType[];
  /** Whether `external_id` is filled (spec 2). */
  readonly providesExternalId: boolean;
  /** Environments of kind TEST only. */
  readonly testOnly: boolean;
  readonly supportsStartdate: boolean;
  /** The sandbox's: what its field `scenario` can be set to by command. Absent: it obeys no commands. */
  readonly scenarios?: readonly FieldOption[];
  readonly step1: readonly FieldSpec[];
  /** For integrations whose server the user types; absent for all others. */
  readonly typedServer?: TypedServer<Fields>;
  /** How the user authorises us; for `OAUTH2`, and for these always. */
  readonly oauth?: OAuthSpec;
  /** Where the provider's API is, without a trailing slash. Tests and sovereign clouds have it elsewhere (decisions 8). */
  readonly apiBaseUrl?: string;
  /** What the provider can bear; kept by the service (`provider-rate-limits.ts`), not by the connector. */
  readonly rateLimits: {
    /** Documents that are opened at once. */
    readonly concurrency: number;
    /** Requests of HTTP and new connections that start in a second, of one account, all instances together. */
    readonly requestsPerSecond: number;
    /** The same of all accounts at one host. Absent: a host bears whatever its accounts do. */
    readonly requestsPerSecondPerHost?: number;
  };

  /** The cheapest authenticated call. Throws `InvalidCredentials` when the provider says no. */
  check(session: Session<Fields>): Promise<AccountInfo>;
  /** The second step's fields with their first-level options; absent when there is no second step. */
  step2?(session: Session<Fields>): Promise<FieldSpec[]>;
  /** `list` has sensible defaults for an empty second step: a migrated connection may start without it. */
  readonly worksWithoutStep2?: boolean;
  /** The options behind stored or sent values, null where the provider has none: validates a choice and keeps its label. */
  resolve?(session: Session<Fields>, fieldId: string, values: readonly string[]): Promise<(FieldOption | null)[]>;
  /** Children of an option, for trees that are loaded lazily; without parent the first level. */
  options?(session: Session<Fields>, fieldId: string, parentId?: string): Promise<FieldOption[]>;
  /**
   * Everything new since the cursor, oldest first where the source can; from `startdate` (YYYY-MM-DD) on when there is no cursor.
   * Pages are small enough to hold in memory (at most some hundred references); no bytes are read here. The next page is asked for
   * while documents of the one before it are still being read.
   */
  list(session: Session<Fields>, cursor: Cursor | null, startdate: string | null): AsyncIterable<SourcePage<Cursor>>;
  /** The bytes of one document. Called up to `rateLimits.concurrency` times at once, also while the next page is listed. */
  download(session: Session<Fields>, ref: DocumentRef): Promise<SourceDocument>;
}

type IntegrationDefinition<Step1 extends readonly FieldSpec[], Cursor extends Json> = Omit<
  Integration<FieldValues<Step1>, Cursor>,
  'step1' | 'testOnly' | 'supportsStartdate'
> & { readonly step1: Step1; readonly testOnly?: boolean; readonly supportsStartdate?: boolean };

/** Declares a connector; the types of `session.fields` follow from the field list. Adds the `startdate` field. */
export function defineIntegration<const Step1 extends readonly FieldSpec[], Cursor extends Json>(
  definition: IntegrationDefinition<Step1, Cursor>,
): Integration {
  const { testOnly = false, supportsStartdate = true, step1, ...rest } = definition;
  return {
    ...(rest as unknown as Integration),
    testOnly,
    supportsStartdate,
    step1: supportsStartdate ? [...step1, STARTDATE_FIELD] : step1,
  };
}
