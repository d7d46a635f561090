import { Page } from '../../components/page';
import { Layout } from '../../session/layout';
import { usePreviewMessages } from './use-preview-messages';

export function PreviewExpired() {
  const texts = usePreviewMessages();
  return (
    <Layout theme={null}>
      <Page title={texts.expiredTitle}>
        <p className="lead">{texts.expiredText}</p>
      </Page>
    </Layout>
  );
}
