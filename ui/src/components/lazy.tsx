import { type ComponentType, type FunctionComponent, useEffect, useState } from 'react';
import { UNREACHABLE } from '../api/problem';
import { Loading } from './loading';
import { ProblemNotice } from './notice';

/** A component whose file is loaded when it is first rendered, or earlier by `preload`. */
export type Lazy<Props> = FunctionComponent<Props> & { readonly preload: () => Promise<void> };

/** Props of a fallback: `retry` is set when the file of the component could not be loaded. */
export interface FallbackProps {
  readonly retry?: () => void;
}

/** A failed download is retried automatically, for example when a phone has a connection again. */
const RETRY_INTERVAL_MS = 3_000;

const DefaultFallback = ({ retry }: FallbackProps) =>
  retry ? <ProblemNotice problem={UNREACHABLE} retry={retry} /> : <Loading />;

/**
 * Renders `Fallback` until the file is loaded. Unlike React's `lazy`, it renders a preloaded component immediately, does not
 * delay the replacement of the fallback, and renders an error in place of the component, so that input next to it is kept (ADR 21).
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
