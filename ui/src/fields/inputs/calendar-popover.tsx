import { parseDate } from '@internationalized/date';
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Dialog,
  Heading,
  Popover,
} from 'react-aria-components';
import { ChevronLeft, ChevronRight } from '../../components/icons';

interface CalendarPopoverProps {
  readonly label: string;
  /** The input above or below which it opens. */
  readonly box: React.RefObject<HTMLElement | null>;
  readonly value: string | null;
  readonly min: string | null;
  readonly max: string | null;
  readonly choose: (day: string) => void;
  readonly close: () => void;
}

const dateOf = (day: string | null) => (day === null ? null : parseDate(day));

/** Calendar for selecting a date. Loaded on demand, as most users type the date. */
export function CalendarPopover({ label, box, value, min, max, choose, close }: CalendarPopoverProps) {
  return (
    <Popover
      className="popover"
      triggerRef={box}
      placement="bottom start"
      isOpen
      onOpenChange={(open) => !open && close()}
    >
      <Dialog className="calendar-dialog" aria-label={label}>
        <Calendar
          className="calendar"
          value={dateOf(value)}
          minValue={dateOf(min)}
          maxValue={dateOf(max)}
          onChange={(date) => {
            choose(date.toString());
            close();
          }}
          autoFocus
        >
          <header className="calendar-head">
            <Button slot="previous" className="box-button">
              <ChevronLeft />
            </Button>
            <Heading className="calendar-title" />
            <Button slot="next" className="box-button">
              <ChevronRight />
            </Button>
          </header>
          <CalendarGrid weekdayStyle="short">
            <CalendarGridHeader>
              {(day) => <CalendarHeaderCell className="weekday">{day}</CalendarHeaderCell>}
            </CalendarGridHeader>
            <CalendarGridBody>{(date) => <CalendarCell className="day" date={date} />}</CalendarGridBody>
          </CalendarGrid>
        </Calendar>
      </Dialog>
    </Popover>
  );
}
