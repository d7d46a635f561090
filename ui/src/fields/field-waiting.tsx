import { useWords } from '../words/use-words';
import type { InputProps } from './field-input';

/** The place of an input that is on its way: as large as the input, so that nothing moves when it comes. */
export function FieldWaiting({ field }: InputProps) {
  const { words } = useWords();
  const isTree = field.type === 'tree' || (field.type === 'select' && field.has_more);
  return (
    <div className="field" aria-busy="true">
      <span className="label">
        {field.label}
        {field.required ? null : <span className="optional"> ({words.optional})</span>}
      </span>
      <div className={isTree ? 'tree-box waiting' : field.type === 'select' ? 'box waiting' : 'box narrow waiting'} />
      {field.help ? <p className="help">{field.help}</p> : null}
    </div>
  );
}
