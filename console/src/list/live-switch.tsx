import { ToggleButton } from 'react-aria-components';
import { useMessages } from '../../../ui/src/messages/use-messages';
import { Pause, Play } from '../components/icons';
import { formatTime } from '../messages/dates';
import { useConsoleMessages } from '../messages/use-console-messages';

/** Stops and continues the updates of a list (WCAG 2.2.2). */
export function LiveSwitch({
  live,
  onChange,
  loadedAt,
}: {
  readonly live: boolean;
  readonly onChange: (live: boolean) => void;
  /** Null when it is said beside the switch. */
  readonly loadedAt: Date | null;
}) {
  const { lang } = useMessages();
  const { list } = useConsoleMessages();
  return (
    <span className="live">
      {loadedAt ? <span className="soft">{list.updated(formatTime(loadedAt, lang))}</span> : null}
      <ToggleButton className={live ? 'live-button on' : 'live-button'} isSelected={live} onChange={onChange}>
        {live ? <Pause /> : <Play />}
        <span className="visually-hidden">{list.liveHelp}: </span>
        {live ? list.live : list.paused}
      </ToggleButton>
    </span>
  );
}
