import { useDeclaredProvider } from '../../../../test/harness/declarative/declared-provider';
import { rejectionOf } from '../../../../test/harness/rejection-of';
import { RateLimited, Transient, UnexpectedResponse } from '../../core/source-errors';
import { providerLead } from './provider-time';

const provider = useDeclaredProvider();

describe("The provider's time", () => {
  const open = () => provider.session(provider.declare());
  const leadIn = (session = open()) => {
    const classify = ({ status }: { status: number }) =>
      status === 429 ? new RateLimited('Later.', 60) : new Transient('Broken.');
    return providerLead({ id: 'acme', label: 'Acme', classify } as never, session, '/time');
  };

  it('is asked once per session, without credentials', async () => {
    provider.server.answer = () => ({ body: provider.now.getTime() / 1000 + 90 });
    const session = open();
    expect([await leadIn(session), await leadIn(session)]).toEqual([90_000, 90_000]);
    expect(provider.server.requests).toEqual([expect.objectContaining({ method: 'GET', path: '/time' })]);
    expect(provider.server.requests[0]!.headers).not.toHaveProperty('x-key');
    await leadIn();
    expect(provider.server.requests).toHaveLength(2);
  });

  it.each([
    [{ status: 429 }, RateLimited],
    [{ status: 503 }, Transient],
    // Without credentials it says nothing about them.
    [{ status: 403 }, UnexpectedResponse],
    [{ body: { time: 1 } }, UnexpectedResponse],
    [{ body: 0 }, UnexpectedResponse],
  ])('after the answer %j is not known', async (answer, kind) => {
    provider.server.answer = () => answer;
    expect(await rejectionOf(leadIn())).toBeInstanceOf(kind);
  });
});
