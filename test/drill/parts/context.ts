import type { Report } from './report';

/** What each drill gets. */
export interface DrillContext {
  /** The checkout. */
  readonly root: string;
  readonly folder: string;
  /** The first of 20 ports. */
  readonly firstPort: number;
  readonly report: Report;
  /** The milliseconds of the seconds, shortened by DRILL_SPEED. */
  seconds(seconds: number): number;
}
