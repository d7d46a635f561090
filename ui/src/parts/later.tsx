import { type ComponentType, type FunctionComponent, useEffect, useState } from 'react';
import { UNREACHABLE } from '../api/problem';
import { Loading } from './loading';
import { ProblemNotice } from './notice';

/** A component whose file is loaded when it is first shown, or as soon as somebody expects it. */
export type Later<Props> = FunctionComponent<Props> & { readonly expect: () => Promise<void> };

/**
 * Shows `Waiting` until the file is there. Unlike `lazy`, it shows at once what has been expected in time, does not hold back
 * what comes soon after, and has a face for a network that is gone: what has been typed beside it stays.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType<Props> = () => <Loading />,
): Later<Props> {
  let ready: ComponentType<Props> | null = null;
  let asked: Promise<void> | null = null;
  const expect = () =>
    (asked ??= load().then(
      (loaded) => void (ready = loaded),
      (error: unknown) => {
        asked = null;
        throw error;
      },
    ));
  const ShownLater: FunctionComponent<Props> = (props) => {
    const [Shown, setShown] = useState(() => ready);
    const [failed, setFailed] = useState(false);
    const begin = () => {
      setFailed(false);
      expect().then(
        () => setShown(() => ready),
        () => setFailed(true),
      );
    };
    useEffect(() => {
      if (!Shown) begin();
    }, []);
    if (Shown) return <Shown {...props} />;
    return failed ? <ProblemNotice problem={UNREACHABLE} retry={begin} /> : <Waiting {...props} />;
  };
  return Object.assign(ShownLater, { expect });
}
