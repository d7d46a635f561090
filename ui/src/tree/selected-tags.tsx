import { Button, Tag, TagGroup, TagList } from 'react-aria-components';
import { Cross } from '../components/icons';
import { useMessages } from '../messages/use-messages';

/** More tags would push the tree off the page. */
const MAX_TAGS = 12;

/** The selected nodes as tags that can be removed. */
export function SelectedTags({
  values,
  labels,
  gone,
  remove,
  label,
}: {
  values: readonly string[];
  labels: Readonly<Record<string, string>>;
  /** Those that the source no longer has. */
  gone: readonly string[];
  remove: (value: string) => void;
  label: string;
}) {
  const { messages } = useMessages();
  const shown = values.slice(0, MAX_TAGS);
  const textOf = (value: string) => {
    const text = labels[value] ?? value;
    return gone.includes(value) ? `${text} (${messages.tree.gone})` : text;
  };
  return (
    <div className="selected-tags">
      {shown.length > 0 ? (
        <TagGroup
          aria-label={`${label}: ${messages.tree.selected(values.length)}`}
          onRemove={(keys) => [...keys].forEach((key) => remove(String(key)))}
        >
          <TagList className="tags">
            {shown.map((value) => (
              <Tag
                key={value}
                id={value}
                className={gone.includes(value) ? 'tag gone' : 'tag'}
                textValue={textOf(value)}
              >
                {textOf(value)}
                <Button
                  slot="remove"
                  className="tag-remove"
                  aria-label={`${messages.tree.remove}: ${labels[value] ?? value}`}
                >
                  <Cross />
                </Button>
              </Tag>
            ))}
          </TagList>
        </TagGroup>
      ) : null}
      <p role="status" className="about">
        {messages.tree.selected(values.length)}
      </p>
    </div>
  );
}
