import { useMessages } from '../../messages/use-messages';
import { LOCALES } from '../../messages/date-format';
import type { Scheme } from '../../../../src/identities/environments/colors/palette';
import { type ContrastResult, contrastReport, isUnchanged } from './contrast-report';
import { usePreviewMessages } from './use-preview-messages';

/** What becomes of the primary color in both schemes, with the contrast of each use. */
export function ColorContrast({ color }: { readonly color: string | null }) {
  const { contrast } = usePreviewMessages();
  const report = contrastReport(color);
  const summary = () => {
    if (color === null) return contrast.default;
    return isUnchanged(color, report) ? contrast.unchanged(color) : contrast.changed(color);
  };
  return (
    <section className="preview-contrast">
      <h2 className="group-title">{contrast.title}</h2>
      <p>{summary()}</p>
      {(['light', 'dark'] as const).map((scheme) => (
        <ContrastTable key={scheme} scheme={scheme} results={report.filter((result) => result.scheme === scheme)} />
      ))}
    </section>
  );
}

function ContrastTable({ scheme, results }: { readonly scheme: Scheme; readonly results: readonly ContrastResult[] }) {
  const { lang } = useMessages();
  const { contrast, scheme: schemes } = usePreviewMessages();
  const format = new Intl.NumberFormat(LOCALES[lang], { maximumFractionDigits: 1 });
  const ratio = (value: number) => `${format.format(value)} : 1`;
  return (
    <table>
      <caption>{schemes[scheme]}</caption>
      <thead>
        <tr>
          {[contrast.use, contrast.color, contrast.ratio, contrast.needed].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {results.map(({ use, color, background, ratio: reached, needed }) => (
          <tr key={use}>
            <th scope="row">{contrast.uses[use]}</th>
            <td data-title={contrast.color}>
              <span>
                <Swatch use={use} color={color} background={background} /> <code>{color}</code>
              </span>
            </td>
            <td data-title={contrast.ratio}>
              <span>
                {ratio(reached)} <span className="about">{reached >= needed ? contrast.passes : contrast.fails}</span>
              </span>
            </td>
            <td data-title={contrast.needed}>{ratio(needed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The color on its background: an area, or a text, which needs more contrast. */
function Swatch({ use, color, background }: Pick<ContrastResult, 'use' | 'color' | 'background'>) {
  const style = use === 'fill' ? { background: color, borderColor: background } : { background, color };
  return (
    <span className="preview-swatch" style={style} aria-hidden="true">
      {use === 'fill' ? '\u2003' : 'Aa'}
    </span>
  );
}
