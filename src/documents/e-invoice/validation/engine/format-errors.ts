/** What the schemas of the syntaxes do not allow, by the ids and the sentences of the findings. */
export const FORMAT_ERRORS = {
  decimal: ['FORMAT-DECIMAL', 'format_decimal'],
  date: ['FORMAT-DATE', 'format_date'],
  time: ['FORMAT-TIME', 'format_time'],
  boolean: ['FORMAT-BOOLEAN', 'format_boolean'],
  binary: ['FORMAT-BINARY', 'format_binary'],
  repeated: ['FORMAT-REPEATED', 'format_repeated'],
  unknown: ['FORMAT-UNKNOWN', 'format_unknown'],
  missing: ['FORMAT-MISSING', 'element_missing'],
  order: ['FORMAT-ORDER', 'format_order'],
  text: ['FORMAT-TEXT', 'format_text'],
  attribute: ['FORMAT-ATTRIBUTE', 'unused_attribute'],
  attribute_missing: ['FORMAT-ATTRIBUTE', 'attribute_missing'],
} as const;

export type FormatError = keyof typeof FORMAT_ERRORS;
