const MIB = 1024 * 1024;
const BUFFERS = [
  'ArrayBuffer',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Float32Array',
  'Float64Array',
] as const;

/**
 * Limits the buffers of this thread: `new Uint8Array(n)` and similar constructors throw a RangeError for more than
 * `singleMib`, or when all buffers would exceed `totalMib` in total. A thread's `resourceLimits` limit the JavaScript
 * heap but not such buffers, and half a megabyte of PDF can expand to a gigabyte.
 */
export function limitAllocations(singleMib: number, totalMib: number): void {
  for (const name of BUFFERS) {
    const original: object = globalThis[name];
    const bytesPerItem = name === 'ArrayBuffer' ? 1 : globalThis[name].BYTES_PER_ELEMENT;
    const guarded: object = new Proxy(original as new (...args: unknown[]) => object, {
      construct(target, args: unknown[], newTarget) {
        const bytes = typeof args[0] === 'number' ? args[0] * bytesPerItem : 0;
        if (bytes > MIB && (bytes > singleMib * MIB || process.memoryUsage().arrayBuffers + bytes > totalMib * MIB)) {
          throw new RangeError(`${name} of ${bytes} bytes is over the limit of this thread.`);
        }
        return Reflect.construct(target, args, newTarget === guarded ? target : newTarget) as object;
      },
    });
    Object.defineProperty(globalThis, name, { value: guarded, configurable: true, writable: true });
  }
}
