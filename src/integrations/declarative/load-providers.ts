import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Integration } from '../core/integration';
import { declareIntegration } from './declare-integration';

/** The files of this repository. */
const PROVIDERS = join(__dirname, '../providers');

/** Compiles every provider's file of a folder, in the order of their names. A file with faults disables only itself. */
export function loadProviders(folder = PROVIDERS): readonly Integration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => declareIntegration(name, readFileSync(join(folder, name), 'utf8')).integration);
}
