import { parseColor } from '../../../../src/identities/environments/colors/contrast';
import { contrastReport, isUnchanged } from '../../../../ui/src/theme/preview/contrast-report';
import { TextField } from '../../form/fields';
import { useThemeViewMessages } from './messages/use-theme-view-messages';

const DEFAULT = '#2b5f8a';

/** The color as text and from the color picker of the browser, with the colors that the hosted UI makes of it. */
export function ColorField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const messages = useThemeViewMessages();
  const isColor = /^#[0-9a-f]{6}$/i.test(value.trim());
  return (
    <div className="stack-small">
      <TextField
        {...{ name: 'theme_primary_color', label: messages.color, help: messages.colorHelp, optional: true }}
        value={value}
        onChange={onChange}
      />
      <div className="color-row">
        <input
          type="color"
          aria-label={messages.colorPick}
          value={isColor ? value.trim().toLowerCase() : DEFAULT}
          onChange={({ target }) => onChange(target.value)}
        />
        <Report color={value.trim()} />
      </div>
    </div>
  );
}

function Report({ color }: { readonly color: string }) {
  const messages = useThemeViewMessages();
  if (color === '') return <p className="help">{messages.contrastDefault}</p>;
  if (color.length !== 7 || !parseColor(color)) return <p className="help">{messages.contrastInvalid}</p>;
  const report = contrastReport(color);
  if (isUnchanged(color, report)) return <p className="help">{messages.contrastKept}</p>;
  const changed = (scheme: 'light' | 'dark') => report.find((each) => each.scheme === scheme && each.use === 'fill')!;
  return (
    <p className="help">
      {messages.contrastChanged} {messages.schemes.light} <code>{changed('light').color}</code>, {messages.schemes.dark}{' '}
      <code>{changed('dark').color}</code>
    </p>
  );
}
