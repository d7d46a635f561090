import type { FieldSpec } from '../../core/field';
import type { Evaluate } from '../language/expressions/evaluate';
import type { Names } from '../language/expressions/names';
import type { ChoiceManifest } from '../language/manifest';
import type { CompiledRequest, Compiler } from './compiler';

/** One level of options. */
export interface OptionLevel {
  readonly request: CompiledRequest;
  readonly items: Evaluate;
  readonly value: Evaluate;
  readonly text: Evaluate;
}

/** A field of the second step whose options the provider knows. */
export interface Choice {
  readonly id: string;
  readonly field: Omit<FieldSpec, 'options'>;
  readonly first: OptionLevel;
  readonly children: OptionLevel | undefined;
}

export function compileChoices(
  compiler: Compiler,
  given: Readonly<Record<string, ChoiceManifest>>,
  names: Names,
): readonly Choice[] {
  return Object.entries(given).map(([id, choice]) => {
    const { label, help, multiple = false, children } = choice;
    const level = (place: readonly string[], each: Omit<ChoiceManifest, 'label'>, own: Names): OptionLevel => ({
      request: compiler.request(place, each, own),
      items: compiler.expression([...place, 'items'], each.items, own),
      value: compiler.expression([...place, 'value'], each.value, own),
      text: compiler.expression([...place, 'text'], each.text, own),
    });
    return {
      id,
      field: {
        id,
        type: 'tree' as const,
        label,
        ...(help && { help }),
        required: true,
        ...(multiple && { multiple }),
        ...(children && { hasMore: true }),
      },
      first: level(['choose', id], choice, names),
      children: children && level(['choose', id, 'children'], children, names.with('parent')),
    };
  });
}
