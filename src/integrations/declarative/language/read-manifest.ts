import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import { basename } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { Faults, type Place } from './faults';
import type { ProviderManifest } from './manifest';
import schema from './provider.schema.json';

/** Limits the expansion of aliases, so that a small file cannot become a large one. */
const MAX_ALIASES = 100;

let compiled: ValidateFunction<ProviderManifest> | undefined;

/**
 * Reads a provider's file and compares it with the schema.
 * @returns the manifest, null when it does not have the right form; its faults are in `faults`, to which the compiler adds its own
 */
export function readManifest(file: string, text: string): { manifest: ProviderManifest | null; faults: Faults } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true });
  const faults = new Faults(file, document, lines);
  for (const { message, pos } of document.errors) faults.addAt(lines.linePos(pos[0]).line, message.split('\n')[0]!);
  if (!faults.isEmpty) return { manifest: null, faults };
  const value = valueOf(document, faults);
  if (!faults.isEmpty) return { manifest: null, faults };
  compiled ??= new Ajv({ allErrors: true, discriminator: true, strictTypes: false }).compile<ProviderManifest>(schema);
  if (!compiled(value)) {
    for (const error of compiled.errors ?? []) reportSchemaError(error, value, faults);
    return { manifest: null, faults };
  }
  if (`${value.id}.yaml` !== basename(file)) faults.add(['id'], `the file of ${value.id} is ${value.id}.yaml`);
  return { manifest: value, faults };
}

function valueOf(document: ReturnType<typeof parseDocument>, faults: Faults): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    faults.add([], (error as Error).message);
    return null;
  }
}

function reportSchemaError(error: ErrorObject, root: unknown, faults: Faults): void {
  // It only says that a branch does not hold, another error says why.
  if (error.keyword === 'if') return;
  let value = root;
  const place: Place = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => {
      const isList = Array.isArray(value);
      value = (value as Record<string, unknown>)[part];
      return isList ? Number(part) : part;
    });
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    return faults.add([...place, name], 'there is no such member');
  }
  if (error.keyword === 'enum')
    return faults.add(place, `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`);
  if (error.keyword === 'required') return faults.add(place, `${String(params['missingProperty'])} is missing`);
  faults.add(place, error.message ?? 'is wrong');
}
