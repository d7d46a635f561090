import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { addressesOf, brokenCitations } from './check-citations';

/** `npm run lint:citations`: fails when a file cites a rule that `docs/spec.md` or `docs/decisions.md` does not define. */
const pages = {
  spec: addressesOf(readFileSync('docs/spec.md', 'utf8')),
  decisions: addressesOf(readFileSync('docs/decisions.md', 'utf8')),
};
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.cjs', '*.js', '*.md', '*.yml', '*.json'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && !file.startsWith('tools/citations/') && file !== 'package-lock.json');
const problems = files.flatMap((file) =>
  brokenCitations(readFileSync(file, 'utf8'), pages).map((problem) => `${file}:${problem}`),
);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(1);
process.stdout.write(`${files.length} files cite only rules that exist.\n`);
