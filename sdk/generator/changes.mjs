import { readFileSync, writeFileSync } from 'node:fs';

/** Changes a file of the generated code; each change has to apply, so that a new version of the generator cannot undo it unnoticed. */
export function change(path, ...changes) {
  let text = readFileSync(path, 'utf8');
  for (const [pattern, replacement] of changes) {
    const changed = text.replace(pattern, replacement);
    if (changed === text) throw new Error(`${path}: nothing matches ${pattern}.`);
    text = changed;
  }
  writeFileSync(path, text);
}
