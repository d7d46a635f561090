import { type ComponentType, type FunctionComponent, useEffect, useState } from 'react';
import { UNREACHABLE } from '../api/problem';
import { Loading } from './loading';
import { ProblemNotice } from './notice';

/** A component whose file is loaded when it is first shown, or as soon as somebody expects it. */
export type Lazy<Props> = FunctionComponent<Props> & { readonly preload: () => Promise<void> };

/** What stands in for a component: `retry` is given when its file could not be loaded. */
export interface FallbackProps {
  readonly retry?: () => void;
}

/** Tried by itself again, as a phone that was in a tunnel comes out of it. */
const RETRY_INTERVAL_MS = 3_000;

const DefaultFallback = ({ retry }: FallbackProps) =>
  retry ? <ProblemNotice problem={UNREACHABLE} retry={retry} /> : <Loading />;

/**
 * Shows `Fallback` until the file is there. Unlike `lazy`, it shows at once what has been expected in time, does not hold back
 * what comes soon after, and has a face for a network that is gone: what has been typed beside it stays.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Fallback: ComponentType<Props & FallbackProps> = DefaultFallback,
): Lazy<Props> {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<void> | null = null;
  const preload = () =>
    (loading ??= load().then(
      (component) => void (loaded = component),
      (error: unknown) => {
        loading = null;
        throw error;
      },
    ));
  const LazyComponent: FunctionComponent<Props> = (props) => {
    const [Component, setComponent] = useState(() => loaded);
    const [failed, setFailed] = useState(false);
    const start = () =>
      void preload().then(
        () => setComponent(() => loaded),
        () => setFailed(true),
      );
    useEffect(() => {
      if (!Component) start();
    }, []);
    useEffect(() => {
      if (!failed || Component) return;
      const timer = setInterval(start, RETRY_INTERVAL_MS);
      return () => clearInterval(timer);
    }, [failed, Component]);
    return Component ? <Component {...props} /> : <Fallback {...props} retry={failed ? start : undefined} />;
  };
  return Object.assign(LazyComponent, { preload });
}
