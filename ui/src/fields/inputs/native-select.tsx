import { ChevronDown } from '../../components/icons';

/** The element of the browser works well on phones and adds no code. */
export function NativeSelect(props: React.ComponentProps<'select'>) {
  return (
    <div className="box select-box">
      <select className="input" {...props} />
      <ChevronDown />
    </div>
  );
}
