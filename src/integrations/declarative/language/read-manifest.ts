import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import { basename } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { ManifestErrors, type Place } from './manifest-errors';
import type { ProviderManifest } from './manifest';
import schema from './provider.schema.json';

/** Limits the expansion of aliases, so that a small file cannot become a large one. */
const MAX_ALIASES = 100;

/** Every process compiles the schema at its start: a test checks the schema itself, and few values are compared with it. */
const QUICK_START = { validateSchema: false, meta: false, code: { optimize: false } } as const;

let compiled: ValidateFunction<ProviderManifest> | undefined;

/**
 * Reads a provider's file and compares it with the schema.
 * @returns the manifest, null when it does not have the right form; its errors are in `manifestErrors`, to which the compiler adds its own
 */
export function readManifest(
  file: string,
  text: string,
): { manifest: ProviderManifest | null; manifestErrors: ManifestErrors } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true });
  const manifestErrors = new ManifestErrors(file, document, lines);
  for (const { message, pos } of document.errors)
    manifestErrors.addAt(lines.linePos(pos[0]).line, message.split('\n')[0]!);
  if (!manifestErrors.isEmpty) return { manifest: null, manifestErrors };
  const value = valueOf(document, manifestErrors);
  if (!manifestErrors.isEmpty) return { manifest: null, manifestErrors };
  compiled ??= compileSchema();
  if (!compiled(value)) {
    for (const error of compiled.errors ?? []) reportSchemaError(error, value, manifestErrors);
    return { manifest: null, manifestErrors };
  }
  if (`${value.id}.yaml` !== basename(file)) manifestErrors.add(['id'], `the file of ${value.id} is ${value.id}.yaml`);
  return { manifest: value, manifestErrors };
}

function compileSchema(): ValidateFunction<ProviderManifest> {
  return new Ajv({ allErrors: true, discriminator: true, strictTypes: false, ...QUICK_START }).compile(schema);
}

function valueOf(document: ReturnType<typeof parseDocument>, manifestErrors: ManifestErrors): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    manifestErrors.add([], (error as Error).message);
    return null;
  }
}

function reportSchemaError(error: ErrorObject, root: unknown, manifestErrors: ManifestErrors): void {
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
    return manifestErrors.add([...place, name], 'there is no such member');
  }
  if (error.keyword === 'enum')
    return manifestErrors.add(place, `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`);
  if (error.keyword === 'required') return manifestErrors.add(place, `${String(params['missingProperty'])} is missing`);
  manifestErrors.add(place, error.message ?? 'is wrong');
}
