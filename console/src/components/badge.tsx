export type BadgeTone = 'good' | 'wait' | 'bad' | 'off';

/** A state as text with a colored dot; never by color alone (WCAG 1.4.1). */
export function Badge({ tone, children }: { tone: BadgeTone; children: React.ReactNode }) {
  return (
    <span className={`state ${tone}`}>
      <span className="state-dot" aria-hidden="true" />
      {children}
    </span>
  );
}
