import { useState } from 'react';

/** The logo of an integration. It is decorative: the name of the integration is next to it. */
export function Logo({ url, size = 40 }: { url: string | undefined; size?: number }) {
  const [broken, setBroken] = useState(false);
  return (
    <span className={size > 44 ? 'logo large' : 'logo'} aria-hidden="true">
      {url && !broken ? <img src={url} alt="" width={size} height={size} onError={() => setBroken(true)} /> : null}
    </span>
  );
}
