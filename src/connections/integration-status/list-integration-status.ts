import { Injectable } from '@nestjs/common';
import type { Integration } from '../../integrations/core/integration';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { localize } from '../../platform/i18n/lang';
import type { StateCount } from '../state/count-by-state';
import { RecentConnectionCounts } from '../state/recent-connection-counts';
import type { IntegrationConnectionsView, IntegrationStatusView } from './integration-status.view';

/** `GET /v1/console/integrations`: which integrations this deployment offers, and how many connections they have. */
@Injectable()
export class ListIntegrationStatus {
  constructor(
    private readonly integrations: IntegrationRegistry,
    private readonly connectionCounts: RecentConnectionCounts,
  ) {}

  async list(): Promise<IntegrationStatusView[]> {
    const counted = await this.connectionCounts.read();
    const counts = counted && Map.groupBy(counted, ({ integration }) => integration);
    return this.integrations
      .list(true)
      .map((integration) => this.view(integration, counts && (counts.get(integration.id) ?? [])));
  }

  private view(integration: Integration, counts: readonly StateCount[] | null): IntegrationStatusView {
    const unavailableBecause = this.integrations.unavailability(integration);
    return {
      integration_id: integration.id,
      name: localize(integration.name),
      category: integration.category,
      maturity: integration.maturity ?? 'BETA',
      auth_type: integration.authType,
      preset_of: integration.presetOf ?? null,
      test_only: integration.testOnly === true,
      available: unavailableBecause === null,
      unavailable_because: unavailableBecause,
      has_oauth_client: this.integrations.hasOAuthClient(integration),
      ...(counts && { connections: countsView(counts) }),
    };
  }
}

function countsView(counts: readonly StateCount[]): IntegrationConnectionsView {
  const sum = (isCounted: (count: StateCount) => boolean) =>
    counts.filter(isCounted).reduce((total, { n }) => total + n, 0);
  return {
    total: sum(() => true),
    active: sum(({ status }) => status === 'ACTIVE'),
    needs_attention: sum(({ status }) => status === 'PENDING' || status === 'INVALID_CREDENTIALS'),
    overdue: sum(({ isOverdue }) => isOverdue),
  };
}
