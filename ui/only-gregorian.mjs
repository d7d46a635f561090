const ALL_OTHERS = /(switch\s*\(name\)\s*\{)[\s\S]*?(case 'gregory':)/;

/**
 * Leaves out the dozen calendars that nobody can meet here: both languages of the page, and every date that the API knows,
 * are Gregorian. React Aria's `DateField` cannot be told so; its `createCalendar` knows all of them.
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
