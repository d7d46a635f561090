import { NetworkNamespace } from '../../harness/network-namespace';
import { ServiceUnderTest } from '../../model/service-under-test';
import type { Campaign } from './campaign';
import type { Printed } from './report';

/** A service, and the network of those of its processes that are cut off. */
export interface CutService {
  readonly service: ServiceUnderTest;
  readonly namespace: NetworkNamespace;
}

/** What cutting it off once needs. */
export interface Parts extends CutService {
  readonly campaign: Campaign;
  readonly print: Printed;
}

/** Starts a service whose database can be reached from a network of its own, in which its worker is if `hasWorker`. */
export async function inNetwork(hasWorker: boolean, work: (cut: CutService) => Promise<void>): Promise<void> {
  const namespace = await NetworkNamespace.create();
  try {
    const service = await ServiceUnderTest.start(hasWorker ? { namespace } : {}, namespace);
    try {
      await work({ service, namespace });
    } finally {
      await service.stop();
    }
  } finally {
    await namespace.remove();
  }
}
