import { useMessages } from '../../../../ui/src/messages/use-messages';
import { DescriptionList } from '../../components/description-list';
import { Section } from '../../components/page';
import { formatNumber } from '../../messages/dates';
import { formatSize } from '../../messages/sizes';
import { useConsole } from '../../session/console-session';
import { useUsageMessages } from './messages/use-usage-messages';

export function Limits() {
  const messages = useUsageMessages();
  const { lang } = useMessages();
  const { environment } = useConsole();
  if (!environment) return null;
  const { limits, retention } = environment;
  return (
    <Section title={messages.limits}>
      <DescriptionList
        rows={[
          [messages.requests, formatNumber(limits.requests_per_minute, lang)],
          [messages.manualFetches, formatNumber(limits.manual_fetches_per_hour, lang)],
          [messages.pushLimit, formatSize(limits.push_limit_bytes, lang)],
          [
            messages.retention,
            `${messages.days(retention.content_days)}; ${messages.afterDelivery(messages.days(retention.content_after_delivery_days))}`,
          ],
        ]}
      />
    </Section>
  );
}
