import { createRoot } from 'react-dom/client';
import { App } from './app';
import { arrive } from './session/token';
import './style/base.css';
import './style/frame.css';
import './style/page.css';
import './style/actions.css';
import './style/notices.css';
import './style/windows.css';
import './style/form.css';
import './style/inputs.css';
import './style/lists.css';
import './style/dates.css';
import './style/tree.css';
import './style/overview.css';
import './style/choose.css';
import './style/connection.css';

// First of all: the token leaves the address bar.
void arrive().then((arrival) => createRoot(document.getElementById('root')!).render(<App arrival={arrival} />));
