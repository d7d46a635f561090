import { Endpoint, FAILURES_TO_OPEN, MAX_TRIAL_SECONDS } from './endpoint.entity';

const ERROR = { code: 'UNEXPECTED_STATUS', status: 503, message: null };
const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20) + seconds * 1000);
const anEndpoint = () => Object.assign(new Endpoint(), { consecutiveFailures: 0, failedTrials: 0, failingEvents: 0 });

/** Fails once per second from the given second on; returns which of the failures opened the circuit. */
const fails = (endpoint: Endpoint, times: number, from = 0) =>
  Array.from({ length: times }, (_, index) => endpoint.recordFailure(at(from + index), 0, ERROR));

describe('The circuit of an endpoint (decisions 6)', () => {
  it('opens with the fifth consecutive failure, and not before', () => {
    const endpoint = anEndpoint();
    expect(fails(endpoint, FAILURES_TO_OPEN)).toEqual([false, false, false, false, true]);
    expect(endpoint.circuit(at(4))).toBe('OPEN');
    expect(endpoint).toMatchObject({ failingSince: at(0), openedAt: at(4), circuitOpenUntil: at(34) });
    expect(endpoint.circuit(at(34))).toBe('HALF_OPEN');
  });

  it('stays closed when a document is delivered in between', () => {
    const endpoint = anEndpoint();
    fails(endpoint, 4);
    endpoint.recordSuccess(at(5));
    expect(fails(endpoint, 4, 6)).not.toContain(true);
    expect(endpoint.circuit(at(10))).toBe('CLOSED');
    expect(endpoint).toMatchObject({ failingSince: at(6), circuitOpenUntil: null });
  });

  it('doubles the interval after each failed trial, up to four hours', () => {
    const endpoint = anEndpoint();
    fails(endpoint, FAILURES_TO_OPEN);
    const waits = Array.from({ length: 12 }, () => {
      const now = endpoint.circuitOpenUntil!;
      expect(endpoint.recordFailure(now, 0, ERROR)).toBe(false);
      return (endpoint.circuitOpenUntil!.getTime() - now.getTime()) / 1000;
    });
    expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3840, 7680, MAX_TRIAL_SECONDS, 14_400, 14_400, 14_400]);
  });

  it('does not extend the interval for requests that were in flight when it opened', () => {
    const endpoint = anEndpoint();
    fails(endpoint, FAILURES_TO_OPEN);
    fails(endpoint, 3, 10);
    expect(endpoint).toMatchObject({ consecutiveFailures: 5, failedTrials: 0, circuitOpenUntil: at(34) });
  });

  it('closes with a delivered document, after which the backlog is sent at a bounded rate', () => {
    const endpoint = anEndpoint();
    fails(endpoint, FAILURES_TO_OPEN);
    endpoint.recordSuccess(at(40));
    expect(endpoint.circuit(at(40))).toBe('CLOSED');
    expect(endpoint).toMatchObject({ failingSince: null, openedAt: null, lastError: null, catchUpUntil: at(940) });
  });

  it('stays closed during a requested pause, which applies regardless of later responses', () => {
    const endpoint = anEndpoint();
    endpoint.recordFailure(at(0), 120, ERROR);
    endpoint.recordFailure(at(1), 0, ERROR); // was in flight: no further failure
    expect(endpoint).toMatchObject({ consecutiveFailures: 1, circuitOpenUntil: at(120) });
    expect(endpoint.circuit(at(1))).toBe('CLOSED');
    endpoint.recordSuccess(at(2));
    expect(endpoint.isBlocked(at(119))).toBe(true);
    expect(endpoint.isBlocked(at(120))).toBe(false);
  });

  it('permits no trial before the end of a requested pause', () => {
    const endpoint = anEndpoint();
    fails(endpoint, 4);
    expect(endpoint.recordFailure(at(4), 600, ERROR)).toBe(true);
    expect(endpoint.circuit(at(603))).toBe('OPEN');
    expect(endpoint.circuit(at(604))).toBe('HALF_OPEN');
  });
});
