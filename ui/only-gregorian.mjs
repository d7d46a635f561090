const ALL_OTHERS = /(switch\s*\(name\)\s*\{)[\s\S]*?(case 'gregory':)/;

/**
 * Removes the calendars other than the Gregorian one: both languages and all dates of the API use the Gregorian calendar.
 * React Aria's `DateField` has no option for this; its `createCalendar` contains all calendars.
 */
export function onlyGregorian() {
  return {
    name: 'only-gregorian',
    enforce: 'pre',
    transform: {
      filter: { id: /@internationalized\/date\/dist\/private\/createCalendar\.mjs$/ },
      handler(code) {
        if (!ALL_OTHERS.test(code))
          throw new Error('createCalendar of @internationalized/date has changed: see ui/only-gregorian.mjs.');
        return { code: code.replace(ALL_OTHERS, '$1$2'), map: null };
      },
    },
  };
}
