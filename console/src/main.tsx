import { createRoot } from 'react-dom/client';
import '../../ui/src/style/base.css';
import '../../ui/src/style/actions.css';
import '../../ui/src/style/notices.css';
import '../../ui/src/style/dialogs.css';
import '../../ui/src/style/form.css';
import '../../ui/src/style/inputs.css';
import '../../ui/src/style/lists.css';
import '../../ui/src/style/forced-colors.css';
import './style/shell.css';
import './style/view.css';
import './style/table.css';
import './style/parts.css';
import './style/forms.css';
import { App } from './app';
import { takeLink } from './session/link';

// Before anything else: the address bar must not keep the link.
const link = takeLink();
createRoot(document.getElementById('root')!).render(<App link={link} />);
