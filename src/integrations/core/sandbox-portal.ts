import type { DocumentType } from '../../documents/metadata';

/** The format of a document of the portal: a PDF, an XRechnung (UBL), or a ZUGFeRD PDF with embedded XML. */
export const FORMATS = ['PDF', 'XML', 'HYBRID'] as const;
export type Format = (typeof FORMATS)[number];

/** Documents that one command has placed in a connection's portal. */
export interface PlacedDocuments {
  /** The number of the command within the connection, counted from 1. */
  readonly number: number;
  /** The index of the first of them among all documents placed for the connection, counted from 0. */
  readonly first: number;
  readonly count: number;
  readonly documentType: DocumentType;
  readonly format: Format;
  /** Whether the portal assigns them an external id. */
  readonly hasExternalId: boolean;
  /** `YYYY-MM-DD`: the day of the command. */
  readonly day: string;
}

/** The consent of a user of `sandbox_oauth`, found by an access token. */
export interface Consent {
  readonly account: string;
  readonly scopes: readonly string[];
  /** False when the access token has expired or the consent was revoked. */
  readonly isActive: boolean;
  /** Whether the scenarios about consents apply to it; a consent that was granted after the start of such a scenario stays valid. */
  readonly isAffected: boolean;
}

/** The portal's data of one connection: placed documents and consents. */
export interface SandboxPortal {
  /** The documents placed by later commands than the one with this number, oldest first. */
  placedAfter(number: number): Promise<readonly PlacedDocuments[]>;
  /** Null when the access token was never issued. */
  consent(accessToken: string): Promise<Consent | null>;
}

/** The portal of a connection that does not exist yet. */
export const EMPTY_PORTAL: SandboxPortal = {
  placedAfter: () => Promise.resolve([]),
  consent: () => Promise.resolve(null),
};
