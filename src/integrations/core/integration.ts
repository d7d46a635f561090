import type { Network } from '../../platform/network/network';
import type { DocumentType } from '../../documents/metadata';
import { DOCUMENT_PASSWORDS_FIELD } from './document-passwords';
import { STARTDATE_FIELD, type FieldOption, type FieldSpec, type FieldValues, type Localized } from './field';
import type { ServerTrust, TypedServer } from './server-trust';
import type { MailProvider } from './presets/mail-provider';
import type { Inbox } from './inbox';
import type { SandboxPortal } from './sandbox-portal';
import type { OAuthSpec } from './oauth-spec';
import type { AccountInfo, DocumentRef, Json, SourceDocument, SourcePage } from './source-document';

export type Category = 'MAILBOX' | 'CLOUD_STORAGE' | 'ACCOUNTING' | 'PORTAL';
export type AuthType = 'CREDENTIALS' | 'OAUTH2';
/** `STABLE`: tested against real servers, or recorded against a live account of the provider. */
export type Maturity = 'BETA' | 'STABLE';

/** A connector's access to one connection during one check, one form or one fetch. */
export interface Session<Fields = Readonly<Record<string, unknown>>> {
  /** Validated step-1 input, secrets included. Never log it. */
  readonly fields: Fields;
  /** Stored step-2 input; empty until the second step is done. */
  readonly step2: Readonly<Record<string, unknown>>;
  /** The only access to the network: every address is checked when connecting. */
  readonly network: Network;
  /** Aborted when the connection is disabled or deleted, when the time limit is reached and when the service shuts down. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** The certificate or host key that the user has accepted for a typed server. Compared on every connection, before a secret is sent. */
  readonly trust: ServerTrust;
  /**
   * Returns those of the dedupe keys that need not be listed again: recorded documents, duplicates by content, and failed documents
   * that will be retried. For sources that can only be listed as a whole.
   */
  findKnown(dedupeKeys: readonly string[]): Promise<ReadonlySet<string>>;
  /** The address of the provider's API: the integration's `apiBaseUrl`, or the one that the deployment has configured. */
  readonly apiBaseUrl: string;
  /**
   * For OAuth: a valid access token; the service renews it before it expires. `refused` is the token to which the provider has just
   * answered 401: it is not returned again. Throws `AuthorizationRevoked` when there is no other.
   */
  accessToken(refused?: string): Promise<string>;
  /** For integrations that receive mails: those that were received for the connection. Empty for all others. */
  readonly inbox: Inbox;
  /** For the sandbox: the documents that clients have placed and the consents of users. Empty for all others. */
  readonly portal: SandboxPortal;
  /** Opens a resource once per session (such as a mailbox connection) and closes it when the session ends. */
  shared<T>(name: string, open: () => Promise<T>, close: (opened: T) => unknown): Promise<T>;
}

/**
 * The connector interface. A connector is one folder and one line in `integration-registry.ts`. Every method may throw the errors
 * of `source-errors.ts`; any other error counts as `Transient` and is logged as an error.
 */
export interface Integration<Fields = Readonly<Record<string, unknown>>, Cursor extends Json = Json> {
  /** Lower-case and permanent: clients store it. */
  readonly id: string;
  readonly name: Localized;
  readonly category: Category;
  readonly authType: AuthType;
  readonly documentTypes: readonly DocumentType[];
  /** For a brand on a known protocol: the id of the connector (decisions 9). */
  readonly presetOf?: string;
  /** For such a brand: what its connector asks for and the brand knows; absent if it depends on the input of the user. */
  readonly presetFields?: Readonly<Record<string, string | number>>;
  /** Its name in simple-icons, where it is not the id without underscores. */
  readonly logo?: string;
  /** Default `BETA`. */
  readonly maturity?: Maturity;
  /** Other words that users may search for, in lower case. */
  readonly aliases?: readonly string[];
  /** For mailboxes of one provider: how their addresses are recognized. */
  readonly mail?: MailProvider;
  /** The page of the provider where users find their credentials. */
  readonly helpUrl?: Localized;
  /** How users get their credentials there, where a password for this purpose has to be created or access to be allowed first. */
  readonly helpSteps?: readonly Localized[];
  /** Whether `external_id` is filled (spec 2). */
  readonly providesExternalId: boolean;
  /** What is wrong with the provider's file. Such an integration is not available, and all its calls fail. */
  readonly manifestErrors?: readonly string[];
  /** Each connection gets an address of its own, for which the service receives mails (`session.inbox`). */
  readonly receivesMail?: boolean;
  /** Environments of kind TEST only. */
  readonly testOnly: boolean;
  readonly supportsStartdate: boolean;
  /** The values that a sandbox command can set the field `scenario` to. Absent for integrations without commands. */
  readonly scenarios?: readonly FieldOption[];
  readonly step1: readonly FieldSpec[];
  /** For integrations whose server the user types; absent for all others. */
  readonly typedServer?: TypedServer<Fields>;
  /** How the user authorizes the service. Required for `OAUTH2`, absent for others. */
  readonly oauth?: OAuthSpec;
  /** The address of the provider's API, without a trailing slash. Tests and sovereign clouds use another one (decisions 8). */
  readonly apiBaseUrl?: string;
  /** The provider's limits. The service enforces them (`provider-rate-limits.ts`), not the connector. */
  readonly rateLimits: {
    /** Concurrent downloads. */
    readonly concurrency: number;
    /** HTTP requests and new connections per second and account, over all instances. */
    readonly requestsPerSecond: number;
    /** The same per host, over all accounts. Absent: no limit per host. */
    readonly requestsPerSecondPerHost?: number;
  };

  /** The cheapest authenticated call. Throws `InvalidCredentials` when the provider rejects the credentials. */
  check(session: Session<Fields>): Promise<AccountInfo>;
  /** The second step's fields with their first-level options; absent when there is no second step. */
  step2?(session: Session<Fields>): Promise<FieldSpec[]>;
  /** `list` has sensible defaults for an empty second step: a migrated connection may start without it. */
  readonly worksWithoutStep2?: boolean;
  /** The options of stored or sent values, null where the provider has none. Validates a selection and returns its labels. */
  resolve?(session: Session<Fields>, fieldId: string, values: readonly string[]): Promise<(FieldOption | null)[]>;
  /** The children of an option, for trees that are loaded lazily; the first level without `parentId`. */
  options?(session: Session<Fields>, fieldId: string, parentId?: string): Promise<FieldOption[]>;
  /**
   * Lists the documents that are new since the cursor, oldest first where the source supports it; without a cursor from `startdate`
   * (YYYY-MM-DD) on. Pages fit in memory (at most a few hundred references); no content is read. The next page is requested while
   * documents of the previous one are still being downloaded.
   */
  list(session: Session<Fields>, cursor: Cursor | null, startdate: string | null): AsyncIterable<SourcePage<Cursor>>;
  /** Downloads one document. Called up to `rateLimits.concurrency` times concurrently, also while the next page is listed. */
  download(session: Session<Fields>, ref: DocumentRef): Promise<SourceDocument>;
}

type IntegrationDefinition<Step1 extends readonly FieldSpec[], Cursor extends Json> = Omit<
  Integration<FieldValues<Step1>, Cursor>,
  'step1' | 'testOnly' | 'supportsStartdate'
> & { readonly step1: Step1; readonly testOnly?: boolean; readonly supportsStartdate?: boolean };

/** The categories whose files may be protected by passwords that only the user knows. */
const HAS_PROTECTED_FILES: readonly Category[] = ['MAILBOX', 'CLOUD_STORAGE'];

/** Declares a connector; the types of `session.fields` follow from the field list. Adds the fields that many integrations share. */
export function defineIntegration<const Step1 extends readonly FieldSpec[], Cursor extends Json>(
  definition: IntegrationDefinition<Step1, Cursor>,
): Integration {
  const { testOnly = false, supportsStartdate = true, step1, ...rest } = definition;
  return {
    ...(rest as unknown as Integration),
    testOnly,
    supportsStartdate,
    step1: [
      ...step1,
      ...(supportsStartdate ? [STARTDATE_FIELD] : []),
      ...(HAS_PROTECTED_FILES.includes(rest.category) ? [DOCUMENT_PASSWORDS_FIELD] : []),
    ],
  };
}
