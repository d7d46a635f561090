import { Breakable } from '../../components/breakable';
import { ChevronRight } from '../../components/icons';
import { Logo } from '../../components/logo';
import { useMessages } from '../../messages/use-messages';
import { navigate } from '../../route';
import { setTypedAddress } from './typed-address';

/** The address of a mailbox in the search of the list, or null. */
export function addressIn(query: string): string | null {
  const text = query.trim();
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text : null;
}

/** Leads from the list to the mailbox with an address, which is looked up at once. */
export function AddressTile({ address, logo }: { address: string; logo: string | undefined }) {
  const { messages } = useMessages();
  const open = () => {
    setTypedAddress(address);
    navigate({ view: 'mailbox', integration: null });
  };
  return (
    <ul className="tiles">
      <li>
        <button type="button" className="tile" onClick={open}>
          <Logo url={logo} />
          <span className="tile-text">
            <span className="tile-name">
              <Breakable>{messages.choose.mailbox(address)}</Breakable>
            </span>
          </span>
          <ChevronRight />
        </button>
      </li>
    </ul>
  );
}
