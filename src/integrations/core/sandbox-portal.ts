import type { DocumentType } from '../../documents/metadata';

/** In which form a document of the portal comes: a PDF, an XRechnung (UBL), or a ZUGFeRD PDF that holds its own XML. */
export const FORMATS = ['PDF', 'XML', 'HYBRID'] as const;
export type Format = (typeof FORMATS)[number];

/** Documents that one command has put into a connection's portal. */
export interface PlacedDocuments {
  /** Which command of the connection it was, from 1 on. */
  readonly number: number;
  /** Of the documents placed for the connection, counted from 0, the first of these. */
  readonly first: number;
  readonly count: number;
  readonly documentType: DocumentType;
  readonly format: Format;
  /** Whether the portal gives them an id of its own. */
  readonly hasExternalId: boolean;
  /** `YYYY-MM-DD`: the day of the command. */
  readonly day: string;
}

/** What a user of `sandbox_oauth` has agreed to, as the portal knows it by an access token. */
export interface Consent {
  readonly account: string;
  readonly scopes: readonly string[];
  /** The access token has ended, or the consent was taken back. */
  readonly isActive: boolean;
  /** The scenarios about a consent apply to it; one that was given after such a scenario began is good. */
  readonly isAffected: boolean;
}

/** The portal's side of one connection: what clients have commanded, and what users have agreed to. */
export interface SandboxPortal {
  /** What was placed by later commands than the one with this number, oldest first. */
  placedAfter(number: number): Promise<readonly PlacedDocuments[]>;
  /** Null: nobody has been given this access token. */
  consent(accessToken: string): Promise<Consent | null>;
}

/** Of a connection that does not exist yet. */
export const EMPTY_PORTAL: SandboxPortal = {
  placedAfter: () => Promise.resolve([]),
  consent: () => Promise.resolve(null),
};
