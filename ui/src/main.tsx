import { createRoot } from 'react-dom/client';
import { App } from './app';
import { readSessionStart } from './session/session-start';
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
import './style/connection.css';
import './style/forced-colors.css';

// Removes the token from the address bar before anything else runs.
void readSessionStart().then((sessionStart) =>
  createRoot(document.getElementById('root')!).render(<App sessionStart={sessionStart} />),
);
