/** An API response: JSON, or the bytes of a file. */
export type GoogleAnswer =
  | { readonly status: number; readonly json: unknown }
  | {
      readonly status: number;
      readonly bytes: Buffer;
      readonly mimeType: string;
      readonly headers: Record<string, string>;
    };

export const refused = (status: number, reason: string, location?: string, message = 'As asked.'): GoogleAnswer => ({
  status,
  json: {
    error: {
      code: status,
      message,
      errors: [{ message, domain: 'global', reason, ...(location && { location, locationType: 'parameter' }) }],
    },
  },
});
