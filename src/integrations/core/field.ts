import type { Localized } from '../../platform/i18n/lang';

/**
 * The field language (decisions 4 "Field"). One description of an input has five uses: forms are rendered from it, input is
 * validated against it, it determines which values are encrypted and what `/information` shows, and OpenAPI documents it.
 */

export type { Localized };

export type FieldType = 'text' | 'password' | 'email' | 'url' | 'number' | 'boolean' | 'date' | 'select' | 'tree';

export interface FieldOption {
  readonly value: string;
  readonly label: Localized | string;
  readonly hasChildren?: boolean;
  /** False for a node that only contains others (a shared drive's root). Default true. */
  readonly selectable?: boolean;
}

export interface FieldSpec<Id extends string = string, Type extends FieldType = FieldType> {
  readonly id: Id;
  readonly type: Type;
  readonly label: Localized;
  readonly help?: Localized;
  readonly placeholder?: Localized | string;
  /** A required field is not requested while `visibleWhen` hides it. */
  readonly required: boolean;
  /** Secret input is encrypted with the connection's data key and never returned. */
  readonly secret?: boolean;
  /** The value is an array of strings. For `select`, `tree` and `password`. */
  readonly multiple?: boolean;
  /** The most values of a `multiple` field; default 1,000. */
  readonly maxItems?: number;
  readonly default?: string | number | boolean | readonly string[];
  /** A regular expression that the whole text must match. */
  readonly pattern?: string;
  /** Smallest number, earliest date, or fewest characters. */
  readonly min?: number | string;
  /** Largest number, latest date, or most characters. Text without `max` may have 4,096 characters. */
  readonly max?: number | string;
  /** The field is shown and its input stored only while the named field has this value. */
  readonly visibleWhen?: { readonly field: string; readonly equals: string | number | boolean };
  /** The options of `select`, or the first level of `tree`; null when only the provider knows them. */
  readonly options?: readonly FieldOption[] | null;
  /** More options can be loaded with `POST …/step2/{field_id}/more`. */
  readonly hasMore?: boolean;
}

type FieldValue<F extends FieldSpec> = F['type'] extends 'number'
  ? number
  : F['type'] extends 'boolean'
    ? boolean
    : F['multiple'] extends true
      ? readonly string[]
      : string;

type AlwaysPresent<F extends FieldSpec> = F['required'] extends true
  ? F['visibleWhen'] extends object
    ? false
    : true
  : F extends { default: unknown }
    ? F['visibleWhen'] extends object
      ? false
      : true
    : false;

/** The type of validated input for a list of fields: `{ host: string; port?: number; … }`. */
export type FieldValues<Fields extends readonly FieldSpec[]> = {
  readonly [F in Fields[number] as AlwaysPresent<F> extends true ? F['id'] : never]: FieldValue<F>;
} & {
  readonly [F in Fields[number] as AlwaysPresent<F> extends true ? never : F['id']]?: FieldValue<F>;
};

/** The start date (spec 2): a step-1 field of every integration that supports one; `defineIntegration` adds it. */
export const STARTDATE_FIELD = {
  id: 'startdate',
  type: 'date',
  label: { en: 'Fetch documents from', de: 'Dokumente abrufen ab' },
  help: {
    en: 'Only documents from this day on are fetched. Leave empty to fetch everything.',
    de: 'Es werden nur Dokumente ab diesem Tag abgerufen. Leer lassen, um alle abzurufen.',
  },
  required: false,
} as const satisfies FieldSpec;
