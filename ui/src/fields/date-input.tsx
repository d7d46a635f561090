import { parseDate } from '@internationalized/date';
import { useRef, useState } from 'react';
import { Button, DateField, DateInput as Segments, DateSegment } from 'react-aria-components';
import { Calendar as CalendarSign, Cross } from '../parts/icons';
import { later } from '../parts/later';
import { useWords } from '../words/use-words';
import type { InputProps } from './field-input';
import { FieldHints, FieldLabel } from './label';

const DayWindow = later(
  () => import('./day-window').then(({ DayWindow: component }) => component),
  () => null,
);

const dayOf = (value: unknown) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null);

/** A day, in the order in which the reader writes it; typed, or chosen in a calendar. */
export function DateInput({ field, value, error, onChange, onLeave }: InputProps) {
  const { words } = useWords();
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const [day, min, max] = [dayOf(value), dayOf(field.min), dayOf(field.max)];
  return (
    <DateField
      className="field"
      value={day ? parseDate(day) : null}
      onChange={(date) => onChange(date?.toString())}
      onBlur={onLeave}
      shouldForceLeadingZeros
      minValue={min ? parseDate(min) : undefined}
      maxValue={max ? parseDate(max) : undefined}
      isRequired={field.required}
      isInvalid={error !== null}
      validationBehavior="aria"
    >
      <FieldLabel field={field} />
      <div className="box narrow">
        <Segments className="input segments">
          {(segment) => <DateSegment className="segment" segment={segment} />}
        </Segments>
        {day && !field.required ? (
          <Button className="box-button" aria-label={words.fields.clearDate} onPress={() => onChange(undefined)}>
            <Cross />
          </Button>
        ) : null}
        <Button
          ref={opener}
          className="box-button"
          aria-label={words.fields.openCalendar}
          aria-haspopup="dialog"
          aria-expanded={open}
          onPress={() => setOpen(true)}
        >
          <CalendarSign />
        </Button>
      </div>
      <FieldHints field={field} error={error} />
      {open ? (
        <DayWindow
          {...{ label: field.label, trigger: opener, value: day, min, max }}
          choose={onChange}
          close={() => setOpen(false)}
        />
      ) : null}
    </DateField>
  );
}
