import { Button, Tag, TagGroup, TagList } from 'react-aria-components';
import { Cross } from '../parts/icons';
import { useWords } from '../words/use-words';

/** More than these would push the tree off the page. */
const SHOWN = 12;

/** What has been chosen, wherever in the tree it lies. */
export function Chosen({
  values,
  labels,
  remove,
  label,
}: {
  values: readonly string[];
  labels: Readonly<Record<string, string>>;
  remove: (value: string) => void;
  label: string;
}) {
  const { words } = useWords();
  const shown = values.slice(0, SHOWN);
  return (
    <div className="chosen">
      {shown.length > 0 ? (
        <TagGroup
          aria-label={`${label}: ${words.tree.chosen(values.length)}`}
          onRemove={(keys) => [...keys].forEach((key) => remove(String(key)))}
        >
          <TagList className="tags">
            {shown.map((value) => (
              <Tag key={value} id={value} className="tag" textValue={labels[value] ?? value}>
                {labels[value] ?? value}
                <Button
                  slot="remove"
                  className="tag-remove"
                  aria-label={`${words.tree.remove}: ${labels[value] ?? value}`}
                >
                  <Cross />
                </Button>
              </Tag>
            ))}
          </TagList>
        </TagGroup>
      ) : null}
      <p role="status" className="about">
        {words.tree.chosen(values.length)}
      </p>
    </div>
  );
}
