import { parseDate } from '@internationalized/date';
import { useRef, useState } from 'react';
import { Button, DateField, DateInput as Segments, DateSegment } from 'react-aria-components';
import { Calendar as CalendarIcon, Cross } from '../../components/icons';
import { lazy } from '../../components/lazy';
import { useMessages } from '../../messages/use-messages';
import type { InputProps } from '../field-input';
import { FieldHints, FieldLabel } from '../field-label';

const DayWindow = lazy(
  () => import('./calendar-popover').then(({ CalendarPopover: component }) => component),
  () => null,
);

const dayOf = (value: unknown) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null);

/** A date in the user's locale format, typed or selected in a calendar. */
export function DateInput({ field, value, error, onChange, onBlur }: InputProps) {
  const { messages } = useMessages();
  const [open, setOpen] = useState(false);
  const boxRef = useRef<HTMLDivElement>(null);
  const [day, min, max] = [dayOf(value), dayOf(field.min), dayOf(field.max)];
  return (
    <DateField
      className="field"
      value={day ? parseDate(day) : null}
      onChange={(date) => onChange(date?.toString())}
      onBlur={onBlur}
      shouldForceLeadingZeros
      minValue={min ? parseDate(min) : undefined}
      maxValue={max ? parseDate(max) : undefined}
      isRequired={field.required}
      isInvalid={error !== null}
      validationBehavior="aria"
    >
      <FieldLabel field={field} />
      <div className="box narrow" ref={boxRef}>
        <Segments className="input segments">
          {(segment) => <DateSegment className="segment" segment={segment} />}
        </Segments>
        {day && !field.required ? (
          <Button className="box-button" aria-label={messages.fields.clearDate} onPress={() => onChange(undefined)}>
            <Cross />
          </Button>
        ) : null}
        <Button
          className="box-button"
          aria-label={messages.fields.openCalendar}
          aria-haspopup="dialog"
          aria-expanded={open}
          onPress={() => setOpen(true)}
        >
          <CalendarIcon />
        </Button>
      </div>
      <FieldHints field={field} error={error} />
      {open ? (
        <DayWindow
          {...{ label: field.label, box: boxRef, value: day, min, max }}
          choose={onChange}
          close={() => setOpen(false)}
        />
      ) : null}
    </DateField>
  );
}
