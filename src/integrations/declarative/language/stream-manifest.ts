import type { DocumentType } from '../../../documents/metadata';
import type { Duration, Expression, RequestManifest, Template } from './manifest';

export interface ListManifest extends RequestManifest {
  readonly items: Expression;
  readonly page?: PageManifest;
  /** The provider returns at most this number of records per search. */
  readonly ceiling?: number;
  /** Listed once for each record of another list, which is `$parent`. For `snapshot`. */
  readonly of?: ParentsManifest;
}

/** The records that a list is read for, such as the exports that postings belong to. */
export interface ParentsManifest extends RequestManifest {
  readonly items: Expression;
  /** For `page.checked`. Default `id`. */
  readonly id?: Expression;
  /** The member of each record that contains the parent. */
  readonly as?: string;
  readonly page?: PageManifest;
  /** Their time: those before `$since` are left out. */
  readonly at?: Expression;
  readonly skip?: string;
}

export interface PageManifest {
  readonly style: 'none' | 'number' | 'offset' | 'cursor' | 'after' | 'next' | 'link';
  /** The number of records that is asked for, as `$size`. */
  readonly size?: number;
  /** For `number`: the first page. Default 1. */
  readonly first?: number;
  /** For `cursor` and `next`: where the answer has it. For `after`: its place in the last record; default the id. */
  readonly value?: Expression;
  /** True while there are more pages. */
  readonly more?: Expression;
  /** True on the last page. */
  readonly last?: Expression;
  /** The number of all records, or of all pages. */
  readonly total?: Expression;
  readonly pages?: Expression;
  /** For `offset`: pages overlap by one record, so that shifted lists are noticed and read again. */
  readonly checked?: boolean;
}

export type ChangesManifest =
  | { readonly strategy: 'snapshot'; readonly recent?: Duration; readonly every?: Duration }
  | {
      readonly strategy: 'updated_since';
      readonly at: Expression;
      readonly overlap: Duration;
      readonly sorted?: boolean;
      readonly recheck?: Duration;
      readonly lead?: Duration;
    }
  | {
      readonly strategy: 'created_windows';
      readonly at: Expression;
      readonly overlap: Duration;
      readonly lead?: Duration;
    }
  | { readonly strategy: 'months'; readonly from: string; readonly recheck: number }
  | { readonly strategy: 'cursor' };

export interface DocumentManifest extends RequestManifest {
  /** Distinguishes several files of one record. */
  readonly name?: string;
  /** Only for records that fulfil this condition. */
  readonly when?: string;
  /** It shows the same invoice as the file of this name, which precedes it. */
  readonly rendition_of?: string;
  readonly format?: 'pdf' | 'xml' | 'any';
  /** The content is base64 in this member of the JSON answer. */
  readonly base64?: string;
  /** The content is at this address: in the answer to the request, or without a request in the record. */
  readonly url?: Expression;
  /** An archive with a single file is unpacked. */
  readonly unzip?: boolean;
  readonly filename?: Template;
}

export interface StreamManifest {
  readonly type?: DocumentType | TypeByValue;
  /** The option of the second step that selects it. Default: the document type. */
  readonly kind?: string;
  /** Listed once for each selected value of a choice. */
  readonly per?: string;
  readonly list: ListManifest;
  readonly changes: ChangesManifest;
  /** Default `id`. */
  readonly id?: Expression;
  /** The id of the document for clients. Default `{$id}`. */
  readonly key?: Template;
  readonly skip?: string;
  readonly ready?: string;
  /** Parameters with which the list contains only records that are not ready. */
  readonly waiting?: Readonly<Record<string, Template>>;
  readonly issued?: Expression | readonly Expression[];
  readonly let?: Readonly<Record<string, Expression>>;
  readonly record?: RequestManifest & { readonly item?: Expression };
  /** The list contains ids only: `each` record is requested singly, or a number of them at a time with `$ids`. */
  readonly details?: 'each' | (RequestManifest & { readonly items: Expression; readonly size: number });
  readonly children?: RequestManifest & {
    readonly items: Expression;
    readonly id: Expression;
    readonly filename?: Expression;
    /** Only those that fulfil this condition. */
    readonly when?: string;
    /** Those that fulfil it are e-invoices in XML, of which the others may be renditions. */
    readonly e_invoice?: string;
  };
  readonly document: DocumentManifest | readonly DocumentManifest[];
  /** False: the same id may deliver other bytes; `revision` distinguishes the versions. */
  readonly stable?: boolean;
  readonly revision?: Expression;
  readonly metadata?: Readonly<Record<string, Expression>>;
}

export interface TypeByValue {
  readonly at: Expression;
  readonly values: Readonly<Record<string, DocumentType>>;
  readonly else?: DocumentType;
}
