import { useId } from 'react';

/** The minimum height of a bar, so that one failure among thousands is visible. */
const MIN_BAR = 3;
const AXIS_TEXT = 22;

export interface Bar {
  readonly key: string;
  /** Its position from the left, beginning at 0. */
  readonly slot: number;
  readonly ok: number;
  readonly failed: number;
  /** The text below it. */
  readonly text?: string;
}

interface BarsProps {
  readonly bars: readonly Bar[];
  readonly slots: number;
  /** The sum that the highest bar shows. */
  readonly most: number;
  readonly label: string;
  readonly legend: { readonly ok: string; readonly failed: string };
  readonly size: { readonly height: number; readonly step: number; readonly width: number };
}

/** A chart of bars over time, each divided into successes and failures. */
export function Bars({ bars, slots, most, label, legend, size: { height, step, width } }: BarsProps) {
  const pattern = useId();
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(MIN_BAR, (count / most) * height));
  const bottom = bars.some(({ text }) => text !== undefined) ? AXIS_TEXT : 2;
  return (
    <>
      <svg className="chart" viewBox={`0 0 ${slots * step} ${height + bottom}`} role="img" aria-label={label}>
        <defs>
          {/* Failures also differ by their pattern, not by color alone. */}
          <pattern id={pattern} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="4" height="4" className="bar-failed" />
            <rect width="1.5" height="4" className="bar-stripe" />
          </pattern>
        </defs>
        <line x1="0" x2={slots * step} y1={height + 0.5} y2={height + 0.5} className="axis" />
        {bars.map((bar) => {
          const failed = heightOf(bar.failed);
          const ok = Math.min(heightOf(bar.ok), height - failed);
          const x = bar.slot * step + (step - width) / 2;
          return (
            <g key={bar.key}>
              <rect className="bar-ok" x={x} y={height - ok} width={width} height={ok} />
              <rect fill={`url(#${pattern})`} x={x} y={height - ok - failed} width={width} height={failed} />
              {bar.text === undefined ? null : (
                <text x={x} y={height + 16} className="axis-text">
                  {bar.text}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <p className="legend" aria-hidden="true">
        <span className="legend-ok" /> {legend.ok} <span className="legend-failed" /> {legend.failed}
      </p>
    </>
  );
}
