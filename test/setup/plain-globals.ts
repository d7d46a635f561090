import { ModernFakeTimers } from '@jest/fake-timers';
import NodeEnvironment from 'jest-environment-node';
import { ModuleMocker } from 'jest-mock';
import { constants, createContext } from 'node:vm';

/** Shared with Node's own modules, whose values tests compare with theirs. */
const OF_NODE = new Set<PropertyKey>(['global', 'Buffer', 'ArrayBuffer', 'Uint8Array']);

/**
 * Jest's environment for Node, with a plain global object. Jest's own asks interceptors for every access to a global such as
 * `Object` or `Buffer`, in all code that tests run, which takes a hundred times as long.
 */
export default class PlainGlobals extends NodeEnvironment {
  constructor(...[config, context]: ConstructorParameters<typeof NodeEnvironment>) {
    super(config, context);
    const plain = createContext(constants.DONT_CONTEXTIFY) as typeof globalThis;
    copyGlobals(this.global, plain);
    plain.global = plain;
    plain.Error.stackTraceLimit = 100; // as in Jest's own
    this.context = plain;
    this.global = plain as unknown as NodeEnvironment['global'];
    this.moduleMocker = new ModuleMocker(plain);
    this.fakeTimers = null; // those of Jest 26
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: plain });
  }
}

/** Copies what the language itself does not define. Node loads some globals when they are read first. */
function copyGlobals(from: object, to: object): void {
  for (const key of Reflect.ownKeys(from)) {
    if (Object.hasOwn(to, key) && !OF_NODE.has(key)) continue;
    const define = (value: unknown) =>
      Object.defineProperty(to, key, { value, configurable: true, enumerable: true, writable: true });
    Object.defineProperty(to, key, {
      configurable: true,
      enumerable: true,
      get() {
        const value: unknown = Reflect.get(from, key);
        define(value);
        return value;
      },
      set: define,
    });
  }
}
