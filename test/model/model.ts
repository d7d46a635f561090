/**
 * What the service should do, as seen by a client: plain data and rules, without any code of the service. Where the order of
 * concurrent work decides, the model states what may happen (`sometimes`, `DOUBTFUL`) instead of guessing.
 */

export type Strategy = 'PUSH' | 'POLLING';
export const STRATEGIES: readonly Strategy[] = ['PUSH', 'POLLING'];

export const KINDS = ['invoice', 'credit_note', 'e_invoice'] as const;
export type Kind = (typeof KINDS)[number];

/** Scenarios of the portal in which documents are listed. */
export const LISTING = [
  'normal',
  'cursor_lost',
  'broken_document',
  'broken_download',
  'damaged_document',
  'duplicates',
  'rerendered',
  'odd_filenames',
] as const;
/** Scenarios in which no fetch succeeds. */
export const OUTAGES = ['provider_down', 'provider_changed', 'rate_limited', 'interrupted'] as const;
/** Scenarios in which the portal rejects the credentials. */
export const REJECTIONS = ['password_changed', 'expired_grant', 'revoked_grant', 'missing_permission'] as const;
export type Scenario = (typeof LISTING)[number] | (typeof OUTAGES)[number] | (typeof REJECTIONS)[number];

const includes = (all: readonly string[], scenario: Scenario): boolean => all.includes(scenario);
export const isListing = (scenario: Scenario): boolean => includes(LISTING, scenario);
export const isRejection = (scenario: Scenario): boolean => includes(REJECTIONS, scenario);

/** Whether the selections that were in force since a document was placed include it: all, some or none of them. */
export type Wanted = 'always' | 'sometimes' | 'never';

export interface ModelDocument {
  /** The last part of the portal's id. */
  readonly key: string;
  /** Null: of a type that no selection excludes. */
  readonly kind: Kind | null;
  wanted: Wanted;
  /** It was recorded when the service was last observed at rest. */
  recorded: boolean;
}

/** The kinds of the documents that a portal contains at the start, repeated. */
const INITIAL_KINDS: readonly Kind[] = ['invoice', 'credit_note', 'e_invoice', 'invoice', 'invoice'];
const number = (index: number): string => String(index + 1).padStart(5, '0');

export class ModelConnection {
  readonly documents: ModelDocument[] = [];
  /** Fetch-now requests that were accepted: time and fetch. */
  readonly manualFetches: { readonly at: number; readonly fetch: string }[] = [];
  scenario: Scenario = 'normal';
  /** Another scenario than `normal` was in force at any time. */
  wasChanged = false;
  /** `DOUBTFUL`: the portal has rejected the credentials, or may have; `REJECTED`: the service has confirmed it. */
  credentials: 'GOOD' | 'DOUBTFUL' | 'REJECTED' = 'GOOD';
  /** The number of recorded documents when it was disabled; null while it is enabled. */
  disabledWith: number | null = null;
  /** When the source, the selection or the status last changed. */
  changedAt: number;
  /** The selections that a running fetch may use; the last one is in force. */
  private selections: ReadonlySet<Kind>[];
  private placed = 0;

  constructor(
    readonly uuid: string,
    readonly strategy: Strategy,
    initial: number,
    selection: readonly Kind[],
    now: number,
  ) {
    this.selections = [new Set(selection)];
    this.changedAt = now;
    for (let index = 0; index < initial; index++) this.add(number(index), INITIAL_KINDS[index % INITIAL_KINDS.length]!);
  }

  get isDisabled(): boolean {
    return this.disabledWith !== null;
  }

  /** The portal has new documents. */
  place(count: number, kind: Kind | null): void {
    for (let n = 0; n < count; n++) this.add(`P${number(this.placed++)}`, kind);
  }

  select(selection: readonly Kind[]): void {
    const chosen = new Set(selection);
    this.selections.push(chosen);
    for (const document of this.documents) {
      if (document.recorded || document.kind === null) continue;
      if (document.wanted !== (chosen.has(document.kind) ? 'always' : 'never')) document.wanted = 'sometimes';
    }
  }

  setScenario(scenario: Scenario): void {
    this.scenario = scenario;
    this.wasChanged ||= scenario !== 'normal';
    if (isRejection(scenario) && this.credentials === 'GOOD') this.credentials = 'DOUBTFUL';
  }

  /** The service has been observed at rest: no fetch runs with a former selection. */
  atRest(status: string, recorded: ReadonlySet<string>): void {
    this.selections = this.selections.slice(-1);
    for (const document of this.documents) document.recorded = recorded.has(document.key);
    if (status === 'INVALID_CREDENTIALS') this.credentials = 'REJECTED';
    else if (status === 'ACTIVE') this.credentials = isRejection(this.scenario) ? 'DOUBTFUL' : 'GOOD';
  }

  /** The statuses that the connection may have. */
  get statuses(): readonly string[] {
    if (this.isDisabled) return ['DISABLED'];
    if (this.credentials === 'GOOD') return ['ACTIVE'];
    return this.credentials === 'REJECTED' ? ['INVALID_CREDENTIALS'] : ['ACTIVE', 'INVALID_CREDENTIALS'];
  }

  private add(key: string, kind: Kind | null): void {
    const wants = this.selections.map((selection) => kind === null || selection.has(kind));
    const wanted = wants.every(Boolean) ? 'always' : wants.some(Boolean) ? 'sometimes' : 'never';
    this.documents.push({ key, kind, wanted, recorded: false });
  }
}

/** A document that the client knows because it has polled it. */
export interface ModelTransaction {
  readonly uuid: string;
  readonly connection: string;
  readonly strategy: Strategy;
  /** The client's last word on it; null after a redelivery. */
  acknowledged: 'ACKNOWLEDGED' | 'REJECTED' | null;
}

export class Model {
  /** The living connections. */
  readonly connections = new Map<string, ModelConnection>();
  /** Uuids of deleted connections, their fetches and transactions, which no table may contain any more. */
  readonly deleted: string[] = [];
  readonly transactions = new Map<string, ModelTransaction>();
  /** Seconds by which the clock was advanced. */
  advanced = 0;

  /** One of the living connections; undefined when there is none. */
  connection(choice: number): ModelConnection | undefined {
    const all = [...this.connections.values()];
    return all[choice % all.length];
  }

  /** One of the known transactions of living connections. */
  transaction(choice: number): ModelTransaction | undefined {
    const all = [...this.transactions.values()];
    return all[choice % all.length];
  }

  delete(connection: ModelConnection, uuids: readonly string[]): void {
    this.connections.delete(connection.uuid);
    this.deleted.push(connection.uuid, ...uuids);
    for (const { uuid } of [...this.transactions.values()].filter((one) => one.connection === connection.uuid)) {
      this.transactions.delete(uuid);
    }
  }
}
