import pinoHttp from 'pino-http';
import { Writable } from 'node:stream';
import { Settings } from '../../config/settings';
import { loggerOptions } from './logger-options';

describe('The log', () => {
  /** The logged properties of an error. */
  function logged(error: Error): { err: Record<string, unknown>; text: string } {
    let text = '';
    const log = new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString();
        done();
      },
    });
    const { pinoHttp: options } = loggerOptions(new Settings({ logLevel: 'error' } as Settings));
    pinoHttp(options, log).logger.error(error);
    return { err: (JSON.parse(text) as { err: Record<string, unknown> }).err, text };
  }

  it('contains type, message, stack and address of an error', () => {
    const error = Object.assign(new TypeError('connect failed', { cause: new Error('refused') }), {
      code: 'ECONNREFUSED',
      address: '127.0.0.1',
      port: 5432,
    });
    expect(logged(error).err).toEqual({
      type: 'TypeError',
      message: 'connect failed: refused',
      stack: expect.stringContaining('logger-options.spec'),
      code: 'ECONNREFUSED',
      address: '127.0.0.1',
      port: 5432,
    });
  });

  it('contains no properties that a library has attached to an error or its nested errors', () => {
    const hung = () =>
      Object.assign(new Error('terminated'), {
        client: { secretKey: 'hunter2' },
        detail: 'Key (password)=(hunter2)',
        response: 'hunter2',
        code: { of: 'hunter2' },
      });
    const { err, text } = logged(Object.assign(new AggregateError([hung()], 'several'), hung()));
    expect(text).not.toContain('hunter2');
    expect(err).toMatchObject({ errors: [{ message: 'terminated' }] });
  });
});
