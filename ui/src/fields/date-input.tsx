import { parseDate } from '@internationalized/date';
import { lazy, Suspense } from 'react';
import { Button, DateInput as Segments, DatePicker, DateSegment, Dialog, Group, Popover } from 'react-aria-components';
import { Calendar as CalendarSign, Cross } from '../parts/icons';
import { Loading } from '../parts/loading';
import { useWords } from '../words/use-words';
import type { InputProps } from './field-input';
import { FieldHints, FieldLabel } from './label';

const DayCalendar = lazy(() => import('./day-calendar').then(({ DayCalendar: component }) => ({ default: component })));

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);

/** A day, in the order in which the reader writes it; typed, or chosen in a calendar. */
export function DateInput({ field, value, error, onChange, onLeave }: InputProps) {
  const { words } = useWords();
  return (
    <DatePicker
      className="field"
      value={isDay(value) ? parseDate(value) : null}
      onChange={(date) => onChange(date?.toString())}
      onBlur={onLeave}
      shouldForceLeadingZeros
      minValue={isDay(field.min) ? parseDate(field.min) : undefined}
      maxValue={isDay(field.max) ? parseDate(field.max) : undefined}
      isRequired={field.required}
      isInvalid={error !== null}
      validationBehavior="aria"
    >
      <FieldLabel field={field} />
      <Group className="box narrow">
        <Segments className="input segments">
          {(segment) => <DateSegment className="segment" segment={segment} />}
        </Segments>
        {isDay(value) && !field.required ? (
          <Button
            slot={null}
            className="box-button"
            aria-label={words.fields.clearDate}
            onPress={() => onChange(undefined)}
          >
            <Cross />
          </Button>
        ) : null}
        <Button className="box-button">
          <CalendarSign />
        </Button>
      </Group>
      <FieldHints field={field} error={error} />
      <Popover className="popover calendar-popover">
        <Dialog className="calendar-dialog">
          <Suspense fallback={<Loading />}>
            <DayCalendar />
          </Suspense>
        </Dialog>
      </Popover>
    </DatePicker>
  );
}
