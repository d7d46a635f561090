import { Action } from '../components/action';
import { Breakable } from '../components/breakable';
import type { FallbackProps } from '../components/lazy';
import { useMessages } from '../messages/use-messages';
import type { InputProps } from './field-input';
import { LabelText } from './native-field';

/** Placeholder of an input that is being loaded. It has the size of the input, so that the layout does not shift. */
export function FieldPlaceholder({ field, retry }: InputProps & FallbackProps) {
  const { messages } = useMessages();
  const isTree = field.type === 'tree' || (field.type === 'select' && field.has_more);
  const place = isTree ? 'tree-box' : field.type === 'select' ? 'box' : 'box narrow';
  return (
    <div className="field" aria-busy="true">
      <span className="label">
        <LabelText field={field} />
      </span>
      <div className={`${place} waiting`}>
        {retry ? (
          <Action variant="quiet" onPress={retry}>
            {messages.fields.loadAgain}
          </Action>
        ) : null}
      </div>
      {field.help ? (
        <p className="help">
          <Breakable>{field.help}</Breakable>
        </p>
      ) : null}
    </div>
  );
}
