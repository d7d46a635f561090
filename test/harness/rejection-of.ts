/** Returns the reason of a rejection; rejects when the promise resolves. */
export const rejectionOf = <Reason = unknown>(promise: Promise<unknown>): Promise<Reason> =>
  promise.then(
    () => Promise.reject(new Error('It succeeded.')),
    (reason: Reason) => reason,
  );
