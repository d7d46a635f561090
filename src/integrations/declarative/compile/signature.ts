import type { Evaluate } from '../language/expressions/evaluate';
import type { Names } from '../language/expressions/names';
import type { AuthManifest } from '../language/manifest';
import type { Signature } from '../signatures/signature';
import { SIGNATURES } from '../signatures/signatures';
import type { Compiler } from './compiler';

/** How requests are signed, with the values for it. */
export interface CompiledSignature {
  readonly rule: Signature;
  readonly inputs: readonly (readonly [string, Evaluate])[];
}

/** Compiles the signature of a provider's requests. The operator's own files cannot name code, not even that of the build. */
export function compileSignature(
  compiler: Compiler,
  { signature: name, with: given }: Extract<AuthManifest, { type: 'signed' }>,
  names: Names,
): CompiledSignature {
  const { manifestErrors, isOfBuild } = compiler;
  const rule = SIGNATURES[name];
  if (!isOfBuild) manifestErrors.add(['auth', 'signature'], 'only files of the build can name a signature');
  for (const input of rule.inputs)
    if (!Object.hasOwn(given, input)) manifestErrors.add(['auth', 'with'], `${input} is missing`);
  for (const input of Object.keys(given))
    if (!rule.inputs.includes(input)) manifestErrors.add(['auth', 'with', input], `${name} has no such value`);
  return { rule, inputs: compiler.templates(['auth', 'with'], given, names) };
}
