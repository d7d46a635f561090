type Values = Readonly<Record<string, string>>;

/** The days of the filters `from` and `to`, which is included, as the times that the API takes. */
export function periodOf({ from, to, ...others }: Values): Values {
  return { ...others, ...(from && { from: startOfDay(from) }), ...(to && { to: startOfDay(to, 1) }) };
}

/** A day begins at midnight in the time zone of the person. */
export function startOfDay(day: string, later = 0): string {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}
