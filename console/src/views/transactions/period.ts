/** Days in the time zone of the person, `to` included, as the times that the API takes. */
export function periodOf(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { from, to, ...others } = values;
  return {
    ...others,
    ...(from && { from: new Date(`${from}T00:00`).toISOString() }),
    ...(to && { to: nextDay(to).toISOString() }),
  };
}

function nextDay(day: string): Date {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + 1);
  return date;
}
