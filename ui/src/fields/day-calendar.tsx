import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
} from 'react-aria-components';
import { ArrowLeft, ChevronRight } from '../parts/icons';

/** The month in which a day is chosen; loaded when somebody opens it, as most type. */
export function DayCalendar() {
  return (
    <Calendar className="calendar">
      <header className="calendar-head">
        <Button slot="previous" className="box-button">
          <ArrowLeft />
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
  );
}
