import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { checkLicenses, type Component } from './check-licenses';
import policy from './licenses.json';

/**
 * `npm run sbom`: writes a CycloneDX bill of materials of all packages in package-lock.json, for every platform, and fails
 * when one of these packages has a license that `licenses.json` does not allow.
 */
const FILE = 'dist/sbom.cdx.json';

const text = execFileSync(
  'npm',
  ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'],
  { encoding: 'utf8', maxBuffer: 2 ** 28 },
);
const bom = JSON.parse(text) as { metadata: { component: { name: string } }; components: readonly Component[] };
// npm uses the name of the folder.
bom.metadata.component.name = (JSON.parse(readFileSync('package.json', 'utf8')) as { name: string }).name;
mkdirSync('dist', { recursive: true });
writeFileSync(FILE, JSON.stringify(bom, null, 2));
const problems = checkLicenses(bom.components, policy);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(1);
process.stdout.write(`${FILE}: ${bom.components.length} packages, all with a license that is allowed.\n`);
