import { type ComponentType, type FunctionComponent, useEffect, useState } from 'react';
import { UNREACHABLE } from '../api/problem';
import { Loading } from './loading';
import { ProblemNotice } from './notice';

/** A component whose file is loaded when it is first shown, or as soon as somebody expects it. */
export type Later<Props> = FunctionComponent<Props> & { readonly expect: () => Promise<void> };

/** What stands in for a component: `retry` is given when its file could not be loaded. */
export interface Absence {
  readonly retry?: () => void;
}

/** Tried by itself again, as a phone that was in a tunnel comes out of it. */
const AGAIN_MS = 3_000;

const Absent = ({ retry }: Absence) => (retry ? <ProblemNotice problem={UNREACHABLE} retry={retry} /> : <Loading />);

/**
 * Shows `Waiting` until the file is there. Unlike `lazy`, it shows at once what has been expected in time, does not hold back
 * what comes soon after, and has a face for a network that is gone: what has been typed beside it stays.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType<Props & Absence> = Absent,
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
    const begin = () =>
      void expect().then(
        () => setShown(() => ready),
        () => setFailed(true),
      );
    useEffect(() => {
      if (!Shown) begin();
    }, []);
    useEffect(() => {
      if (!failed || Shown) return;
      const timer = setInterval(begin, AGAIN_MS);
      return () => clearInterval(timer);
    }, [failed, Shown]);
    return Shown ? <Shown {...props} /> : <Waiting {...props} retry={failed ? begin : undefined} />;
  };
  return Object.assign(ShownLater, { expect });
}
