/** Limits of the API that the console shows or keeps; limits.spec.ts compares them with openapi.json. */
export const LIMITS = {
  redeliveredDocuments: { max: 1_000 },
  graceHours: { min: 0, max: 2_160, default: 24 },
  retentionDays: { min: 0, max: 3_650 },
  pushLimitMib: { min: 1, max: 1_024 },
  fetchIntervalMinutes: { min: 5 },
  sandboxDocuments: { min: 1, max: 100 },
};

/** The lowest and the highest value of a setting. */
export interface Range {
  readonly min: number;
  readonly max: number;
}
