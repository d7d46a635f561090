import { Action } from '../parts/action';
import type { Absence } from '../parts/later';
import { useWords } from '../words/use-words';
import type { InputProps } from './field-input';

/** The place of an input that is on its way: as large as the input, so that nothing moves when it comes. */
export function FieldWaiting({ field, retry }: InputProps & Absence) {
  const { words } = useWords();
  const isTree = field.type === 'tree' || (field.type === 'select' && field.has_more);
  const place = isTree ? 'tree-box' : field.type === 'select' ? 'box' : 'box narrow';
  return (
    <div className="field" aria-busy="true">
      <span className="label">
        {field.label}
        {field.required ? null : <span className="optional"> ({words.optional})</span>}
      </span>
      <div className={`${place} waiting`}>
        {retry ? (
          <Action weight="quiet" onPress={retry}>
            {words.fields.loadAgain}
          </Action>
        ) : null}
      </div>
      {field.help ? <p className="help">{field.help}</p> : null}
    </div>
  );
}
