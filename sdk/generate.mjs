// Generates the code of an SDK from openapi.json: `npm run -s sdk:generate -- python`. Without a language: of all. Does nothing
// when nothing has changed. The code is not committed.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { documentForGenerators } from './generator/document.mjs';
import { runGenerator } from './generator/generator.mjs';
import { LANGUAGES } from './generator/languages.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const INPUTS = ['../openapi.json', 'openapi-3.0.mjs', 'generate.mjs'];
/** Schemas whose names are taken in one of the languages or its generator. */
const MODEL_NAMES = { Field: 'FormField' };

const list = (values) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

const option = (name, values) => (Object.keys(values).length > 0 ? [name, list(values)] : []);

/** Hash of everything that the generated code depends on. */
function fingerprint(language) {
  const filesOf = (folder) => (existsSync(join(HERE, folder)) ? readdirSync(join(HERE, folder)) : []);
  const files = ['generator', `${language}/templates`].flatMap((folder) =>
    filesOf(folder).map((name) => `${folder}/${name}`),
  );
  const hash = createHash('sha256');
  for (const file of [...INPUTS, ...files.sort()]) hash.update(`${file}\0`).update(readFileSync(join(HERE, file)));
  return hash.digest('hex');
}

function generate(language) {
  const {
    generator,
    generated,
    from,
    properties,
    nameMappings = {},
    typeMappings = {},
    ignored,
    document = (same) => same,
    ...extra
  } = LANGUAGES[language];
  const target = join(HERE, language, generated);
  const stamp = join(target, '.stamp');
  const wanted = fingerprint(language);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const stage = mkdtempSync(join(HERE, language, '.stage-'));
  try {
    writeFileSync(join(stage, 'openapi.json'), JSON.stringify(document(documentForGenerators())));
    mkdirSync(join(stage, 'out'));
    writeFileSync(join(stage, 'out/.openapi-generator-ignore'), ignored.join('\n'));
    runGenerator([
      ...['-i', join(stage, 'openapi.json'), '-g', generator, '-o', join(stage, 'out')],
      ...['--global-property', 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false'],
      ...['--model-name-mappings', list(MODEL_NAMES)],
      ...option('--name-mappings', nameMappings),
      ...option('--type-mappings', typeMappings),
      ...(existsSync(join(HERE, language, 'templates')) ? ['-t', join(HERE, language, 'templates')] : []),
      '--additional-properties',
      list({ disallowAdditionalPropertiesIfNotPresent: false, hideGenerationTimestamp: true, ...properties }),
    ]);
    const made = join(stage, 'out', from);
    rmSync(join(made, '.openapi-generator'), { recursive: true, force: true });
    rmSync(join(made, '.openapi-generator-ignore'), { force: true });
    for (const [name, text] of Object.entries(extra.files())) writeFileSync(join(made, name), text);
    extra.finish?.(made);
    writeFileSync(join(made, '.stamp'), wanted);
    mkdirSync(dirname(target), { recursive: true });
    if (existsSync(target)) renameSync(target, join(stage, 'old'));
    renameSync(made, target);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

const languages = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(LANGUAGES);
for (const language of languages) {
  if (!(language in LANGUAGES)) throw new Error(`${language}: not one of ${Object.keys(LANGUAGES).join(', ')}.`);
  generate(language);
}
