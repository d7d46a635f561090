import { started } from './start/start';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import './style/base.css';
import './style/layout.css';
import './style/page.css';
import './style/actions.css';
import './style/notices.css';
import './style/dialogs.css';
import './style/form.css';
import './style/inputs.css';
import './style/lists.css';
import './style/dates.css';
import './style/tree.css';
import './style/overview.css';
import './style/choose.css';
import './style/disclosure.css';
import './components/list/documents.css';
import './components/list/facts.css';
import './views/connection/connection.css';
import './style/forced-colors.css';

const root = createRoot(document.getElementById('root')!);

if (started) void started.then((sessionStart) => root.render(<App sessionStart={sessionStart} />));
else {
  const query = new URLSearchParams(location.search);
  void import('./theme/preview/start-preview').then((it) => it.startPreview(root, query));
}
