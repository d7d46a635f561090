/** Names and values; rows without a value are left out. */
export function DescriptionList({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: React.ReactNode] | null | false)[];
}) {
  const shown = rows.filter((row) => row && row[1] !== null && row[1] !== undefined && row[1] !== '');
  return (
    <dl className="description-list">
      {shown.map((row) => {
        const [name, value] = row as readonly [string, React.ReactNode];
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        );
      })}
    </dl>
  );
}
